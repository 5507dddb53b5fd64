import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { organizationList } from "~/features/organization-management/definition";
import { readOrganizationList } from "~/features/organization-management/definition.server";
import { ORGANIZATIONS_FAILED } from "~/features/organization-management/labels";
import { OrganizationListPage } from "~/features/organization-management/list-page";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Organizations");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.view");
  return loadList(context, actor, organizationList, {
    failed: ORGANIZATIONS_FAILED,
    read: (request) => readOrganizationList(context, request),
    more: () => ({ may: { edit: can(actor, "organization.manage"), delete: can(actor, "organization.delete") } }),
  });
}

export default function OrganizationsPage() {
  return <OrganizationListPage loaded={useLoaderData<typeof loader>()} />;
}
