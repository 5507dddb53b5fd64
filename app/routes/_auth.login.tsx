import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { resendInvitationsTo } from "~/features/invitations/sending.server";
import { signInActions } from "~/features/sign-in/actions.server";
import { loadSignInPage } from "~/features/sign-in/sign-in-page.server";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export { SignInScreen as default, signInMeta as meta } from "~/features/sign-in/sign-in-screen";
export { retryHeaders as headers } from "~/ui/form";

export async function loader({ context, request }: LoaderFunctionArgs) {
  return respond(context, await loadSignInPage(context, request));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const params = { url: new URL(request.url), resendInvitations: resendInvitationsTo };
  return runFormAction(context, signInActions, { actor: null, request, params });
}
