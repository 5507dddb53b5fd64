import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { brand } from "~/content/brand";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/root-brand";
import { LIST_FAILED } from "~/features/submissions/copy";
import { listActions } from "~/features/submissions/list/actions.server";
import { listHeading, submissionList } from "~/features/submissions/list/definition";
import { LIST_PURPOSE } from "~/features/submissions/list/list-responses.server";
import { listPermissions } from "~/features/submissions/list/permissions";
import { readSubmissionList } from "~/features/submissions/list/read-list.server";
import { SubmissionFilters } from "~/features/submissions/list/ui/submission-filters";
import { SubmissionListPanel } from "~/features/submissions/list/ui/submission-list";
import { ListActions, SubmissionTabs } from "~/features/submissions/list/ui/submission-views";
import type { ListRejection } from "~/features/submissions/model";
import { VIEW_PURPOSE } from "~/features/workspace/actions.server";
import { listSavedViews } from "~/features/workspace/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { SavedViews } from "~/features/workspace/ui/saved-views";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { fileContent } from "~/lists/match-count";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { retryHeaders } from "~/platform/respond.server";
import { redirectWithin, retryInit } from "~/platform/route-responses.server";
import { countSearch } from "~/platform/search-limit.server";
import { ErrorPanel } from "~/ui/error-panel";
import { ReadyFile } from "~/ui/export-links";
import { usePostedResult } from "~/ui/form-answer";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data ? listHeading(data.filter) : "Submissions"} | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(submissionList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = submissionList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [list, views, retryAt] = await Promise.all([
    readOrNull(
      context,
      "submission_list_failed",
      readSubmissionList(context, actor, { filter, page, openingHours: brand.openingHours }),
    ),
    readOrNull(context, "saved_views_failed", listSavedViews(context.db, actor.userId, "submissions")),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    list: retryAt === null ? list : null,
    isLimited: retryAt !== null,
    views,
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? submissionList.exportPath(searchParams) : null,
    listToken: issueFormToken(context, LIST_PURPOSE),
    viewToken: issueFormToken(context, VIEW_PURPOSE),
    may: listPermissions(actor),
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.change_status");
  return runFormAction(context, listActions, { actor, request, params: null });
}

export default function SubmissionsPage() {
  const { filter, list, isLimited, views, viewToken, file, ...panel } = useLoaderData<typeof loader>();
  const { pathname, search, key } = useLocation();
  const rejected = usePostedResult<ListRejection>() ?? null;
  const path = file ? submissionList.pathTo(filter) : pathname + search;
  return (
    <Page title={listHeading(filter)} actions={<ListActions filter={filter} mayExport={panel.may.export} />} isDense>
      {file ? <ReadyFile to={file} content={fileContent(file, list?.total, submissionList.noun)} /> : null}
      <SubmissionTabs filter={filter} counts={list?.counts ?? null}>
        <SavedViews
          list="submissions"
          views={views}
          query={submissionList.query(filter)}
          token={viewToken}
          path={path}
        />
      </SubmissionTabs>
      {list ? (
        <SubmissionListPanel resetKey={key} list={list} filter={filter} path={path} rejected={rejected} {...panel} />
      ) : (
        <>
          {isLimited ? <SubmissionFilters filter={filter} size={panel.size} /> : null}
          <ErrorPanel message={isLimited ? TOO_MANY_SEARCHES : LIST_FAILED} retryTo={path} />
        </>
      )}
    </Page>
  );
}
