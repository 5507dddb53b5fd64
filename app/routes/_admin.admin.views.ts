import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { savedViewActions } from "~/features/workspace/actions.server";
import { runFormAction } from "~/platform/form-actions.server";
import { redirectWithin } from "~/platform/responses.server";

export { clientAction } from "~/features/workspace/area-page";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "admin.open");
  return redirectWithin("/admin", { status: 302 });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  return runFormAction(context, savedViewActions, { actor, request, params: null });
}
