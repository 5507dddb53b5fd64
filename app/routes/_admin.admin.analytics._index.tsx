import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AnalyticsView, RangeNav } from "~/features/analytics/analytics-page";
import { DEFAULT_RANGE, parseRange } from "~/features/analytics/model";
import { analyticsFilePath, TABS } from "~/features/analytics/paths";
import { readAnalytics } from "~/features/analytics/queries.server";
import { requireStaff } from "~/features/auth/guards.server";
import { LETTERS_PATH } from "~/features/letters/model";
import { adminTitle } from "~/features/settings/brand";
import { readOrNull } from "~/features/workspace/load-list.server";
import { ExportLink } from "~/ui/export-links";
import { Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Analytics");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "analytics.view");
  const { searchParams } = context.request.url;
  const asked = parseRange(searchParams.get("range"));
  const range = asked ?? DEFAULT_RANGE;
  const after = searchParams.get("after");
  const tab = TABS.find((each) => each === searchParams.get("tab")) ?? "overview";
  const analytics = await readOrNull(context, "analytics_failed", readAnalytics(context, { range, after }));
  const page = { analytics, range, tab, isUnknownRange: asked === null, isFirstPage: after === null };
  return json(page, { status: asked === null ? 400 : 200 });
}

export default function AnalyticsPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <Page
      title="Analytics"
      actions={
        <>
          <RangeNav range={page.range} tab={page.tab} />
          {page.analytics ? <ExportLink to={analyticsFilePath(page.range)} /> : null}
        </>
      }
    >
      <AnalyticsView {...page} lettersPath={LETTERS_PATH} />
    </Page>
  );
}
