import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { TRANSFER_OWNERSHIP } from "~/features/members/labels";
import { loadTransferPage, transferActions } from "~/features/organization-settings/actions.server";
import { TransferForm } from "~/features/organization-settings/settings-page";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, TRANSFER_OWNERSHIP);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "organization.transfer");
  return json(await loadTransferPage(context, actor));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "organization.transfer", request);
  return runFormAction(context, transferActions, { actor, request, params: null });
}

export default function TransferPage() {
  return (
    <Page title={TRANSFER_OWNERSHIP}>
      <TransferForm {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
