import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { organizationList } from "~/features/organization-management/definition";
import { readOrganizationList } from "~/features/organization-management/definition.server";
import { ORGANIZATIONS_FAILED } from "~/features/organization-management/labels";
import { OrganizationFilters, OrganizationListPanel } from "~/features/organization-management/list-page";
import { NEW_ORGANIZATION_PATH } from "~/features/organization-management/paths";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";

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
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size, may } = loaded;
  const path = useListPath(organizationList, loaded);
  const exportTo = organizationList.exportPath(new URLSearchParams(organizationList.query(filter)));
  const actions = (
    <ButtonRow dense>
      <ExportLink to={exportTo} />
      <LinkButton to={NEW_ORGANIZATION_PATH}>New Organization</LinkButton>
    </ButtonRow>
  );
  return (
    <ListPage
      loaded={loaded}
      path={path}
      title="Organizations"
      actions={may.edit ? actions : undefined}
      filters={<OrganizationFilters filter={filter} size={size} />}
    >
      {list ? <OrganizationListPanel list={list} filter={filter} size={size} may={may} /> : null}
    </ListPage>
  );
}
