import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportEverything } from "~/features/privacy/everything.server";
import { askedArchive } from "~/features/privacy/model";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const asked = askedArchive(context.request.url.searchParams);
  return respond(context, await exportEverything(context, actor, asked));
}
