import { type HeadersArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { NEW_ORGANIZATION_PATH } from "~/features/organization-management/addresses";
import { LIST_FAILED } from "~/features/organization-management/copy";
import { organizationList } from "~/features/organization-management/list/definition";
import { readOrganizationList } from "~/features/organization-management/list/read-list.server";
import { OrganizationFilters } from "~/features/organization-management/list/ui/organization-filters";
import { OrganizationListPanel } from "~/features/organization-management/list/ui/organization-list";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { fileContent } from "~/lists/match-count";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import { keepingLoader } from "~/live/page-refresh";
import { redirectWithin, retryHeadersOf, retryInit } from "~/platform/route-responses.server";
import { countSearch } from "~/platform/search-limit.server";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorPanel } from "~/ui/error-panel";
import { ExportLink, ReadyFile } from "~/ui/export-links";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Organizations | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.view");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(organizationList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = organizationList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [list, retryAt] = await Promise.all([
    readOrNull(context, "organization_list_failed", readOrganizationList(context, actor, { filter, page })),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    list: retryAt === null ? list : null,
    isLimited: retryAt !== null,
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? organizationList.exportPath(searchParams) : null,
    may: { edit: can(actor, "organization.manage"), delete: can(actor, "organization.delete") },
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers({ loaderHeaders }: HeadersArgs) {
  return retryHeadersOf(loaderHeaders);
}

export default function OrganizationsPage() {
  const { filter, list, isLimited, size, file, may } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const exportTo = organizationList.exportPath(new URLSearchParams(organizationList.query(filter)));
  const actions = (
    <ButtonRow dense>
      <ExportLink to={exportTo} />
      <LinkButton to={NEW_ORGANIZATION_PATH}>New Organization</LinkButton>
    </ButtonRow>
  );
  return (
    <Page title="Organizations" actions={may.edit ? actions : undefined} isDense>
      {file ? <ReadyFile to={file} content={fileContent(file, list?.total, organizationList.noun)} /> : null}
      {list ? (
        <OrganizationListPanel list={list} filter={filter} size={size} may={may} />
      ) : (
        <>
          {isLimited ? <OrganizationFilters filter={filter} size={size} /> : null}
          <ErrorPanel message={isLimited ? TOO_MANY_SEARCHES : LIST_FAILED} retryTo={pathname + search} />
        </>
      )}
    </Page>
  );
}
