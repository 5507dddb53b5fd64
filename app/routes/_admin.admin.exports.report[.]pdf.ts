import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { renderReport } from "~/features/exports/render-report.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "report.export");
  return respond(context, await renderReport(context, actor, "pdf"));
}
