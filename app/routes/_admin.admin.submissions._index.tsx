import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { SUBMISSION_LIST_FAILED } from "~/features/submissions/labels";
import { SUBMISSION_LIST_PURPOSE, submissionListActions } from "~/features/submissions/list/actions.server";
import { listPermissions, submissionList, submissionListHeading } from "~/features/submissions/list/definition";
import { readSubmissionList } from "~/features/submissions/list/read-list.server";
import {
  ListActions,
  SubmissionFilters,
  SubmissionListPanel,
  SubmissionTabs,
} from "~/features/submissions/list/submission-list";
import { VIEW_PURPOSE } from "~/features/workspace/actions.server";
import { loadList, readOrNull } from "~/features/workspace/load-list.server";
import { listSavedViews } from "~/features/workspace/queries.server";
import { SavedViews } from "~/features/workspace/ui/saved-views";
import type { ListRejection } from "~/lib/form";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { usePostedResult } from "~/ui/form";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, page.data ? submissionListHeading(page.data.filter) : "Submissions");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const { userId } = actor;
  return loadList(context, actor, submissionList, {
    failed: SUBMISSION_LIST_FAILED,
    read: (request) => readSubmissionList(context, request),
    more: async () => ({
      views: await readOrNull(context, "saved_views_failed", listSavedViews(context.db, userId, "submissions")),
      listToken: issueFormToken(context, SUBMISSION_LIST_PURPOSE),
      viewToken: issueFormToken(context, VIEW_PURPOSE),
      may: listPermissions(actor),
    }),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.change_status");
  return runFormAction(context, submissionListActions, { actor, request, params: null });
}

export default function SubmissionsPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size, views, viewToken, may } = loaded;
  const { key } = useLocation();
  const path = useListPath(submissionList, loaded);
  const rejected = usePostedResult<ListRejection>() ?? null;
  const tabs = (
    <SubmissionTabs filter={filter} counts={list?.counts ?? null}>
      <SavedViews
        list={submissionList}
        views={views}
        query={submissionList.query(filter)}
        token={viewToken}
        path={path}
      />
    </SubmissionTabs>
  );
  return (
    <ListPage
      loaded={loaded}
      path={path}
      title={submissionListHeading(filter)}
      actions={<ListActions filter={filter} mayExport={may.export} />}
      above={tabs}
      filters={<SubmissionFilters filter={filter} size={size} />}
    >
      {list ? <SubmissionListPanel {...loaded} list={list} path={path} rejected={rejected} resetKey={key} /> : null}
    </ListPage>
  );
}
