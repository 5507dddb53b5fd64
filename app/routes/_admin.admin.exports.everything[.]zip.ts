import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportEverything } from "~/features/privacy/everything/export-everything.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const { searchParams } = context.request.url;
  const asked = { withFiles: searchParams.get("files") === "on", after: searchParams.get("after") ?? "" };
  return respond(context, await exportEverything(context, actor, asked));
}
