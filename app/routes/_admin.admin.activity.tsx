import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { activityList } from "~/features/audit/activity/definition";
import { readActivity } from "~/features/audit/activity/read-activity.server";
import { ACTIVITY_FAILED } from "~/features/audit/copy";
import { ActivityPanel } from "~/features/audit/ui/activity-panel";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/brand";
import { readInSiteZone } from "~/features/settings/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { pageRequest } from "~/lists/paging.server";
import { ErrorPanel } from "~/ui/error-panel";
import { ExportLink, ReadyFile } from "~/ui/export-links";
import { Page } from "~/ui/page";

export { shouldRevalidate } from "~/ui/not-saved";

export const meta: MetaFunction = ({ matches }) => [{ title: `Activity | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "activity.view");
  const { searchParams } = context.request.url;
  const filter = activityList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  const activity = await readOrNull(
    context,
    "activity_failed",
    readInSiteZone(context.db, (zone) => readActivity(context, actor, { filter, page, zone })).then(
      ({ value }) => value,
    ),
  );
  return json({
    filter,
    activity,
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? activityList.exportPath(searchParams) : null,
    mayExport: can(actor, "activity.export"),
  });
}

export default function ActivityPage() {
  const { filter, activity, size, file, mayExport } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const exportTo = activityList.exportPath(new URLSearchParams(activityList.query(filter)));
  return (
    <Page title="Activity" actions={mayExport ? <ExportLink to={exportTo} /> : undefined}>
      {file ? <ReadyFile to={file} /> : null}
      {activity ? (
        <ActivityPanel activity={activity} filter={filter} size={size} />
      ) : (
        <ErrorPanel message={ACTIVITY_FAILED} retryTo={pathname + search} />
      )}
    </Page>
  );
}
