import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMember } from "~/features/auth/guards.server";
import { findLetter, letterFile } from "~/features/letters/queries.server";
import { respond } from "~/platform/respond.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "letter.read");
  const id = idParam("ltr", context.request.url.searchParams.get("letter") ?? undefined);
  const stored = orNotFound(await findLetter(context.db, id, membership.organizationId));
  return respond(context, await letterFile(context, stored, ""));
}
