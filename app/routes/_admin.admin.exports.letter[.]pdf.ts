import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { findForStaff, letterFile } from "~/features/letters/queries.server";
import { respond } from "~/platform/respond.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "letter.handle");
  const id = idParam("ltr", context.request.url.searchParams.get("letter") ?? undefined);
  const { stored } = orNotFound(await findForStaff(context, id));
  return respond(context, await letterFile(context, stored, actor.fullName));
}
