import { type HeadersArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { activityList } from "~/features/audit/activity/definition";
import { readActivity } from "~/features/audit/activity/read-activity.server";
import { ACTIVITY_FAILED } from "~/features/audit/copy";
import { ActivityFilters } from "~/features/audit/ui/activity-filters";
import { ActivityPanel } from "~/features/audit/ui/activity-panel";
import { requireStaff } from "~/features/auth/guards.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { fileContent } from "~/lists/match-count";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import { keepingLoader } from "~/live/page-refresh";
import { redirectWithin, retryHeadersOf, retryInit } from "~/platform/route-responses.server";
import { countSearch } from "~/platform/search-limit.server";
import { ErrorPanel } from "~/ui/error-panel";
import { ExportLink, ReadyFile } from "~/ui/export-links";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Activity | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "activity.view");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(activityList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = activityList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  const read = readInSiteZone(context.db, (zone) => readActivity(context, actor, { filter, page, zone }));
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [activity, retryAt] = await Promise.all([
    readOrNull(
      context,
      "activity_failed",
      read.then(({ value }) => value),
    ),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    activity: retryAt === null ? activity : null,
    /** The filters, in place of the activity: somebody searches too often. */
    limited: retryAt === null ? null : { types: activity?.types ?? [] },
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? activityList.exportPath(searchParams) : null,
    mayExport: can(actor, "activity.export"),
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers({ loaderHeaders }: HeadersArgs) {
  return retryHeadersOf(loaderHeaders);
}

export default function ActivityPage() {
  const { filter, activity, limited, size, file, mayExport } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const exportTo = activityList.exportPath(new URLSearchParams(activityList.query(filter)));
  return (
    <Page title="Activity" actions={mayExport ? <ExportLink to={exportTo} /> : undefined}>
      {file ? <ReadyFile to={file} content={fileContent(file, activity?.total, activityList.noun)} /> : null}
      {activity ? (
        <ActivityPanel activity={activity} filter={filter} size={size} />
      ) : (
        <>
          {limited ? <ActivityFilters filter={filter} size={size} {...limited} /> : null}
          <ErrorPanel message={limited ? TOO_MANY_SEARCHES : ACTIVITY_FAILED} retryTo={pathname + search} />
        </>
      )}
    </Page>
  );
}
