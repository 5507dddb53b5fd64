import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { PEOPLE_FAILED } from "~/features/security/labels";
import { factorList } from "~/features/security/people/definition";
import { readFactors } from "~/features/security/people/definition.server";
import { FactorListPage } from "~/features/security/people/factor-list";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";

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
  return <FactorListPage loaded={useLoaderData<typeof loader>()} />;
}
