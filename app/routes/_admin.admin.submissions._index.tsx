import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { SUBMISSION_LIST_FAILED } from "~/features/submissions/labels";
import { SUBMISSION_LIST_PURPOSE, submissionListActions } from "~/features/submissions/list/actions.server";
import { listPermissions, submissionList, submissionListHeading } from "~/features/submissions/list/definition";
import { readSubmissionList } from "~/features/submissions/list/read-list.server";
import { SubmissionListPage, SubmissionTabs } from "~/features/submissions/list/submission-list";
import { VIEW_PURPOSE } from "~/features/workspace/actions.server";
import { loadList, readOrNull } from "~/features/workspace/load-list.server";
import { listSavedViews } from "~/features/workspace/queries.server";
import { SavedViews } from "~/features/workspace/ui/saved-views";
import { useListPath } from "~/lists/ui/list-page";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

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
  const { list, filter, views, viewToken } = loaded;
  const path = useListPath(submissionList, loaded);
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
  return <SubmissionListPage loaded={loaded} above={tabs} />;
}
