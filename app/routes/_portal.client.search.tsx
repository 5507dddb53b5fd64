import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { CLIENT_HINT } from "~/features/search/labels";
import { CLIENT_SEARCH_PATH } from "~/features/search/model";
import { findOwnByNumber, loadSearch, searchForClient } from "~/features/search/search.server";
import { SearchPage } from "~/features/search/search-page";
import { portalTitle } from "~/features/settings/brand";
import { viewerOf } from "~/features/tickets/access.server";
import { redirectWithin, retryInit } from "~/platform/responses.server";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  portalTitle(page, `${page.data?.text ? `${page.data.text} – ` : ""}Search`);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "ticket.view");
  const { jumpTo, retryAt, ...found } = await loadSearch(context, {
    actor,
    findPage: (text) => findOwnByNumber(context.db, viewerOf(actor), text),
    search: (viewer, text) => searchForClient(context, viewer, text),
  });
  if (jumpTo !== null) throw redirectWithin(jumpTo, { status: 302 });
  return json(found, retryInit(retryAt, context.now()));
}

export default function ClientSearchPage() {
  return <SearchPage {...useLoaderData<typeof loader>()} path={CLIENT_SEARCH_PATH} hint={CLIENT_HINT} />;
}
