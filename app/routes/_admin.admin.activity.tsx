import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { ActivityListPage } from "~/features/audit/activity/activity";
import { activityList } from "~/features/audit/activity/definition";
import { readActivity, visibleTypes } from "~/features/audit/activity/definition.server";
import { ACTIVITY_FAILED } from "~/features/audit/labels";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";

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
  return <ActivityListPage loaded={useLoaderData<typeof loader>()} />;
}
