import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { ActivityFilters, ActivityPanel } from "~/features/audit/activity/activity";
import { activityList } from "~/features/audit/activity/definition";
import { readActivity, visibleTypes } from "~/features/audit/activity/definition.server";
import { ACTIVITY_FAILED } from "~/features/audit/labels";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Activity");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "activity.view");
  return loadList(context, actor, activityList, {
    failed: ACTIVITY_FAILED,
    read: (request) => readActivity(context, request),
    more: () => ({ types: visibleTypes(actor), mayExport: can(actor, "activity.export") }),
  });
}

export default function ActivityPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size, types, mayExport } = loaded;
  const exportTo = activityList.exportPath(new URLSearchParams(activityList.query(filter)));
  return (
    <ListPage
      loaded={loaded}
      path={useListPath(activityList, loaded)}
      title="Activity"
      actions={mayExport ? <ExportLink to={exportTo} /> : undefined}
      isDense={false}
      filters={<ActivityFilters filter={filter} size={size} types={types} />}
    >
      {list ? <ActivityPanel activity={list} types={types} filter={filter} size={size} /> : null}
    </ListPage>
  );
}
