import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { savedViewActions } from "~/features/workspace/actions.server";
import { runFormAction } from "~/platform/form-actions.server";
import { redirectWithin } from "~/platform/route-responses.server";

/** Redirects to the list: there is no page here, only the address that the forms of saved views post to. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  return redirectWithin("/admin/submissions", { status: 302 });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  return runFormAction(context, savedViewActions, { actor, request, params: null });
}
