import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { REPORT_FAILED } from "~/features/reports/labels";
import { reportFilePath } from "~/features/reports/model";
import { loadReport } from "~/features/reports/read-report.server";
import { ReportForm, ReportView } from "~/features/reports/report-view";
import { adminTitle } from "~/features/settings/brand";
import { LinkButton } from "~/ui/button";
import { ErrorPanel, Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Reports");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "report.view");
  return loadReport(context, { mayExport: can(actor, "report.export") });
}

export default function ReportsPage() {
  const { asked, report, mayExport } = useLoaderData<typeof loader>();
  const { pathname, search } = useLocation();
  const files = report && mayExport ? report.request : null;
  return (
    <Page
      title="Reports"
      actions={
        files ? (
          <div className="flex flex-wrap gap-2 print:hidden">
            <LinkButton variant="quiet" to={reportFilePath(files, "csv")}>
              Export CSV
            </LinkButton>
            <LinkButton variant="quiet" to={reportFilePath(files, "pdf")}>
              Export PDF
            </LinkButton>
          </div>
        ) : undefined
      }
    >
      {asked ? <ReportForm key={search} asked={asked} /> : null}
      {report ? <ReportView report={report} /> : null}
      {asked ? null : <ErrorPanel message={REPORT_FAILED} retryTo={pathname + search} />}
    </Page>
  );
}
