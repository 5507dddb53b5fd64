import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { upgradeToHub } from "~/live/upgrade.server";

export async function loader({ context, request }: LoaderFunctionArgs) {
  await requireStaff(context, "live.staff");
  return upgradeToHub(context, request, "staff");
}
