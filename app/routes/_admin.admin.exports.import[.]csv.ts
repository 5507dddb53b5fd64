import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportOutcomes } from "~/features/import/import-page.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "import.run");
  return respond(context, await exportOutcomes(context, actor));
}
