import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { activityFilter } from "~/features/audit/activity";
import { ACTIVITY_FAILED, lookedBack } from "~/features/audit/copy";
import { countActivity, listActivity } from "~/features/audit/queries.server";
import { ActivityFeed } from "~/features/audit/ui/activity-feed";
import { ActivityFilters, ActivityStatCards } from "~/features/audit/ui/activity-filters";
import { requireStaff } from "~/features/auth/guards.server";
import { brandIn } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { staffPathOf } from "~/platform/subjects.server";
import { ErrorPanel } from "~/ui/error-panel";
import { Notice } from "~/ui/flash";
import { Page } from "~/ui/page";
import { Pagination } from "~/ui/pagination";

export const meta: MetaFunction = ({ matches }) => [{ title: `Activity | ${brandIn(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "activity.view");
  const { searchParams } = context.request.url;
  const filter = activityFilter(searchParams);
  const before = /^\d{1,15}$/.test(searchParams.get("before") ?? "") ? Number(searchParams.get("before")) : null;
  const activity = await readOrNull(
    context,
    "activity_failed",
    Promise.all([
      listActivity(context.db, filter, before, (subject) => staffPathOf(context.subjects, actor, subject)),
      countActivity(context.db, context.now()),
      getSettings(context.db),
    ]).then(([page, counts, { timeZone }]) => ({ page, counts, zone: timeZone })),
  );
  return json({ filter, activity, isFirst: before === null });
}

export default function ActivityPage() {
  const { filter, activity, isFirst } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  if (!activity) {
    return (
      <Page title="Activity">
        <ErrorPanel message={ACTIVITY_FAILED} retryTo={pathname + search} />
      </Page>
    );
  }
  const { page, counts, zone } = activity;
  const query = new URLSearchParams({
    ...(filter.q ? { q: filter.q } : {}),
    ...(filter.type ? { type: filter.type } : {}),
  });
  const to = (extra: Record<string, string>) =>
    `/admin/activity?${new URLSearchParams([...query, ...Object.entries(extra)])}`;
  return (
    <Page title="Activity">
      <ActivityStatCards counts={counts} />
      <ActivityFilters filter={filter} />
      {page.looked ? <Notice kind="info" message={lookedBack(page.looked, zone)} /> : null}
      <ActivityFeed entries={page.entries} zone={zone} clearTo={query.size > 0 ? "/admin/activity" : null} />
      <Pagination
        newerTo={isFirst ? null : to({})}
        olderTo={page.before ? to({ before: String(page.before) }) : null}
        labels={{ back: "Newest", on: "Older" }}
      />
    </Page>
  );
}
