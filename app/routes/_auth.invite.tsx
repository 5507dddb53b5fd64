import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { invitePageActions, loadInvitePage } from "~/features/invitations/invite-page.server";
import { InviteScreen } from "~/features/invitations/invite-screen";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export { retryHeaders as headers } from "~/ui/form";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, "Invitation");

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, await loadInvitePage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, invitePageActions, { actor: null, request, params: null });
}

export default function InvitePage() {
  return <InviteScreen {...useLoaderData<typeof loader>()} validationError={useActionData<typeof action>() ?? null} />;
}
