import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ANALYTICS_FAILED, ROW_TITLES, ROWS_PROBLEMS } from "~/features/analytics/labels";
import { MetricRowTable } from "~/features/analytics/metric-rows";
import { analyticsPath, rowsPath } from "~/features/analytics/paths";
import { parseRows, readRows } from "~/features/analytics/queries.server";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { readInSiteZone } from "~/features/settings/queries.server";
import { readOrNull } from "~/features/workspace/load-list.server";
import { dayIn } from "~/lib/time";
import { Breadcrumb, ErrorPanel, Notice, Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Rows | Analytics");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "analytics.view");
  const { searchParams } = context.request.url;
  const { settings, value } = await readInSiteZone(context.db, async (site) => {
    const parsed = parseRows(searchParams, dayIn(site, context.now()));
    if (!parsed.ok) return { problem: ROWS_PROBLEMS[parsed.problem], asked: null, list: null };
    const read = readRows(context.db, parsed.value, searchParams.get("after"));
    return { problem: null, asked: parsed.value, list: await readOrNull(context, "analytics_failed", read) };
  });
  return json({ ...value, zone: settings.timeZone }, { status: value.problem ? 400 : 200 });
}

export default function MetricRowsPage() {
  const { problem, asked, list, zone } = useLoaderData<typeof loader>();
  return (
    <Page
      title={asked ? ROW_TITLES[asked.of] : "Analytics"}
      breadcrumb={<Breadcrumb items={[{ label: "Analytics", to: analyticsPath({}) }]} />}
    >
      {problem ? <Notice kind="error" message={problem} /> : null}
      {asked && list ? <MetricRowTable asked={asked} zone={zone} {...list} /> : null}
      {asked && !list ? <ErrorPanel message={ANALYTICS_FAILED} retryTo={rowsPath(asked)} /> : null}
    </Page>
  );
}
