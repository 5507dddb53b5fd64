import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { NewOrganization } from "~/features/organization-management/new-organization";
import { creationActions } from "~/features/organization-management/new-organization.server";
import { ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { adminTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "New Organization");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.manage");
  const { create: token } = formTokens(context, actor, creationActions);
  return json({ token: token ?? "", hasErrors: context.form.isRejected });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "organization.manage");
  return runFormAction(context, creationActions, { actor, request, params: null });
}

export default function NewOrganizationPage() {
  const { token } = useLoaderData<typeof loader>();
  const crumbs = [{ label: "Organizations", to: ORGANIZATIONS_PATH }, { label: "New Organization" }];
  return (
    <Page title="New Organization" breadcrumb={<Breadcrumb dense items={crumbs} />}>
      <NewOrganization token={token} />
    </Page>
  );
}
