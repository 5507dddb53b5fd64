import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { getSystemStatus } from "~/features/health/system-status.server";
import { SystemSummary } from "~/features/health/ui/system-summary";
import { rootBrand } from "~/features/settings/brand";
import { SETTINGS_PATH } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import { listOpenSteps } from "~/features/setup/queries.server";
import { SetupChecklist } from "~/features/setup/ui/setup-checklist";
import { LIST_FAILED } from "~/features/submissions/copy";
import { countRecent, countSubmissions } from "~/features/submissions/queries.server";
import { DashboardFacts } from "~/features/submissions/ui/dashboard-facts";
import { SubmissionStatCards } from "~/features/submissions/ui/submission-stat-cards";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const meta: MetaFunction = ({ matches }) => [{ title: `Dashboard | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const [figures, status, steps] = await Promise.all([
    readOrNull(
      context,
      "dashboard_failed",
      Promise.all([countSubmissions(context.db), countRecent(context.db, context.now()), getSettings(context.db)]).then(
        ([counts, recentIn, { timeZone }]) => ({ counts, ...recentIn(timeZone) }),
      ),
    ),
    getSystemStatus(context),
    can(actor, "settings.change") ? readOrNull(context, "setup_steps_failed", listOpenSteps(context)) : null,
  ]);
  const reportTo = can(actor, "settings.change") ? `${SETTINGS_PATH}?tab=advanced` : null;
  return json({ figures, status: { ...status, reportTo }, steps });
}

export default function DashboardPage() {
  const { figures, status, steps } = useLoaderData<typeof loader>();
  return (
    <Page title="Dashboard">
      {figures ? (
        <>
          <SubmissionStatCards counts={figures.counts} current={null} week={figures.week} />
          {figures.counts.all === 0 ? (
            <p className="text-ink-2">No submissions yet. They arrive from the contact form.</p>
          ) : null}
          <DashboardFacts counts={figures.counts} today={figures.today} status={<SystemSummary {...status} />} />
        </>
      ) : (
        <ErrorPanel message={LIST_FAILED} retryTo="/admin" />
      )}
      {steps ? <SetupChecklist steps={steps} /> : null}
    </Page>
  );
}
