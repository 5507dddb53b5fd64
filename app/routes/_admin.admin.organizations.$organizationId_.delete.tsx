import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { organizationDeletionActions, readDeletion } from "~/features/organization-management/deletion.server";
import { DeletionForm } from "~/features/organization-management/deletion-form";
import { adminTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Delete organization");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.delete");
  const id = idParam("org", params.organizationId);
  return json({
    ...orNotFound(await readDeletion(context, actor, id)),
    token: formTokens(context, actor, organizationDeletionActions).delete ?? "",
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "organization.delete");
  const organizationId = idParam("org", params.organizationId);
  return runFormAction(context, organizationDeletionActions, { actor, request, params: { organizationId } });
}

export default function DeleteOrganizationPage() {
  const { organization, identity, token } = useLoaderData<typeof loader>();
  return (
    <Page title={`Delete ${organization.name}?`}>
      <DeletionForm organization={organization} identity={identity} token={token} />
    </Page>
  );
}
