import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireClient } from "~/features/auth/guards.server";
import { switchActions } from "~/features/portal/actions.server";
import { runFormAction } from "~/platform/form-actions.server";
import { redirectWithin } from "~/platform/responses.server";

export { clientAction } from "~/features/workspace/area-page";

export async function loader({ context }: LoaderFunctionArgs) {
  await requireClient(context);
  return redirectWithin("/client", { status: 302 });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireClient(context);
  return runFormAction(context, switchActions, { actor, request, params: null });
}
