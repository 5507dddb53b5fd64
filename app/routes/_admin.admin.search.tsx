import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { STAFF_HINT } from "~/features/search/labels";
import { STAFF_SEARCH_PATH } from "~/features/search/model";
import { findByNumber, loadSearch, searchForStaff } from "~/features/search/search.server";
import { SearchPage } from "~/features/search/search-page";
import { adminTitle } from "~/features/settings/brand";
import { redirectWithin, retryInit } from "~/platform/responses.server";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, `${page.data?.text ? `${page.data.text} – ` : ""}Search`);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  const { jumpTo, retryAt, ...found } = await loadSearch(context, {
    actor,
    findPage: (text) => findByNumber(context.db, actor, text),
    search: (viewer, text) => searchForStaff(context, viewer, text),
  });
  if (jumpTo !== null) throw redirectWithin(jumpTo, { status: 302 });
  return json(found, retryInit(retryAt, context.now()));
}

export default function StaffSearchPage() {
  return <SearchPage {...useLoaderData<typeof loader>()} path={STAFF_SEARCH_PATH} hint={STAFF_HINT} />;
}
