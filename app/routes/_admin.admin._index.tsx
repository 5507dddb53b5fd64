import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { getSystemStatus } from "~/features/health/system-status.server";
import { SystemSummary } from "~/features/health/system-summary";
import { ClosureRequests } from "~/features/privacy/closure-requests";
import { listClosureRequests } from "~/features/privacy/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { countStepsLeft } from "~/features/setup/first-hour.server";
import { DashboardMetrics, FollowUps, ModerationPanel, SubmissionStatCards } from "~/features/submissions/dashboard";
import { SUBMISSION_LIST_FAILED } from "~/features/submissions/labels";
import { readDashboardMetrics } from "~/features/submissions/queries.server";
import { listDueFollowUps, listInModeration } from "~/features/submissions/queue.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { readOrNull } from "~/features/workspace/load-list.server";
import { readWaiting, waitingActions } from "~/features/workspace/queue.server";
import { DashboardLayout, FirstHourNotice, Queue } from "~/features/workspace/ui/dashboard";
import type { FormAnswer } from "~/lib/form";
import { zoneName } from "~/lib/time";
import { queueOwner, queuePath } from "~/lib/waiting";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { usePostedResult } from "~/ui/form";
import { ErrorPanel, Notice, Page } from "~/ui/page";
import { Time } from "~/ui/text";

export { clientAction, clientLoader, ErrorBoundary } from "~/features/workspace/area-page";
export { keepsRejected as shouldRevalidate } from "~/ui/form";

const LISTS = [
  { to: `${SUBMISSIONS_PATH}?status=new`, label: "All new submissions" },
  { to: STAFF_TICKETS_PATH, label: "All active tickets" },
];

export const meta: MetaFunction = (page) => adminTitle(page, "Dashboard");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const owner = queueOwner(context.request.url.searchParams.get("own"));
  const at = context.now();
  const [figures, queue, followUps, moderation, closures, status, firstHour] = await Promise.all([
    readOrNull(context, "dashboard_failed", readDashboardMetrics(context)),
    readOrNull(context, "queue_failed", readWaiting(context, actor, owner)),
    readOrNull(context, "follow_ups_failed", listDueFollowUps(context)),
    readOrNull(context, "held_failed", listInModeration(context.db)),
    can(actor, "privacy.manage") ? readOrNull(context, "closures_failed", listClosureRequests(context.db)) : null,
    getSystemStatus(context),
    can(actor, "settings.change") ? readOrNull(context, "first_hour_failed", countStepsLeft(context)) : null,
  ]);
  const reportTo = can(actor, "settings.change") ? `${SETTINGS_PATH}?tab=advanced` : null;
  const tokens = formTokens(context, actor, waitingActions);
  return json({
    owner,
    at,
    figures,
    queue,
    followUps,
    moderation,
    closures,
    status: { ...status, reportTo },
    firstHour,
    tokens,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  return runFormAction(context, waitingActions, { actor, request, params: null });
}

export default function DashboardPage() {
  const { owner, at, figures, queue, followUps, moderation, closures, status, firstHour, tokens } =
    useLoaderData<typeof loader>();
  const rejection = usePostedResult<FormAnswer>()?.rejection;
  const failed = <ErrorPanel message={SUBMISSION_LIST_FAILED} retryTo={queuePath(owner)} />;
  return (
    <Page
      title="Dashboard"
      isDense
      actions={
        figures ? (
          <span className="text-ink-2 text-sm">
            {figures.weekday}, <Time at={at} zone={figures.zone} mode="short" />, {zoneName(figures.zone)} time
          </span>
        ) : null
      }
    >
      {rejection ? <Notice kind="error" message={rejection} /> : null}
      <DashboardLayout
        main={queue ? <Queue queue={queue} owner={owner} token={tokens.take} lists={LISTS} /> : failed}
        sidebar={
          <>
            {firstHour ? <FirstHourNotice {...firstHour} /> : null}
            {followUps ? <FollowUps {...followUps} /> : null}
            {figures && moderation ? <ModerationPanel count={figures.counts.held} reasons={moderation} /> : null}
            {figures && closures ? <ClosureRequests requests={closures} zone={figures.zone} /> : null}
          </>
        }
        metrics={figures ? <SubmissionStatCards counts={figures.counts} current={null} week={figures.week} /> : failed}
        more={
          figures ? (
            <DashboardMetrics counts={figures.counts} today={figures.today} status={<SystemSummary {...status} />} />
          ) : null
        }
      />
    </Page>
  );
}
