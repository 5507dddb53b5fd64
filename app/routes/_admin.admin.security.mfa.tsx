import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { PEOPLE_FAILED } from "~/features/security/labels";
import { factorList } from "~/features/security/people/definition";
import { readFactors } from "~/features/security/people/definition.server";
import { FactorFilters, FactorPanel, FactorPolicy } from "~/features/security/people/factor-list";
import { SecurityTabs } from "~/features/security/security-tabs";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "MFA Management");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "security.view");
  return loadList(context, actor, factorList, {
    failed: PEOPLE_FAILED,
    read: (request) => readFactors(context, request),
    more: () => ({ ownId: actor.userId }),
  });
}

export default function MfaManagementPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size, ownId } = loaded;
  return (
    <ListPage
      loaded={loaded}
      path={useListPath(factorList, loaded)}
      title="Security"
      actions={<ExportLink to={factorList.exportPath(new URLSearchParams(factorList.query(filter)))} />}
      above={
        <>
          <SecurityTabs tab="mfa" />
          {list ? <FactorPolicy coverage={list.coverage} isOfClients={list.isOfClients} /> : null}
        </>
      }
      filters={<FactorFilters filter={filter} size={size} />}
    >
      {list ? <FactorPanel list={list} filter={filter} size={size} ownId={ownId} /> : null}
    </ListPage>
  );
}
