import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { TRANSFER_OWNERSHIP } from "~/features/members/labels";
import { ownershipActions, readOwnership } from "~/features/organization-management/ownership.server";
import { OwnershipForm } from "~/features/organization-management/ownership-form";
import { adminTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, TRANSFER_OWNERSHIP);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.transfer");
  const id = idParam("org", params.organizationId);
  return json({
    ...orNotFound(await readOwnership(context, actor, id)),
    token: formTokens(context, actor, ownershipActions).transfer ?? "",
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "organization.transfer");
  const organizationId = idParam("org", params.organizationId);
  return runFormAction(context, ownershipActions, { actor, request, params: { organizationId } });
}

export default function TransferOwnershipPage() {
  const { hasErrors: _, ...form } = useLoaderData<typeof loader>();
  return (
    <Page title={`${TRANSFER_OWNERSHIP} of ${form.organization.name}`}>
      <OwnershipForm {...form} />
    </Page>
  );
}
