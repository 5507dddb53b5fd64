import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { HISTORY } from "~/features/organization-settings/labels";
import { historyLine, readHistory } from "~/features/organization-settings/queries.server";
import { HistoryFeed } from "~/features/organization-settings/settings-page";
import { portalTitle } from "~/features/settings/brand";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, HISTORY);

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "organization.audit");
  const before = Number(context.request.url.searchParams.get("before")) || null;
  const [{ rows, next }, { timeZone: zone }, { name }] = await Promise.all([
    readHistory(context.db, { organizationId: membership.organizationId, before }),
    getSettings(context.db),
    effectiveBrand(context),
  ]);
  return json({ lines: rows.map((row) => historyLine(row, name)), next, zone });
}

export default function HistoryPage() {
  return (
    <Page title={HISTORY}>
      <HistoryFeed {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
