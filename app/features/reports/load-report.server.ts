import type { TypedResponse } from "@remix-run/cloudflare";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";
import { pageData } from "~/platform/page-data.server";
import type { RejectedRequest, Report, ReportRequest } from "./model";
import { readReport } from "./read-report.server";

type LoadedReport = {
  /** Holds what the form shows; null: nothing could be read. */
  asked: ReportRequest | RejectedRequest | null;
  report: Report | null;
  mayExport: boolean;
};

/** Loads the page of reports. */
export async function loadReport(
  ctx: Ctx,
  { mayExport }: Pick<LoadedReport, "mayExport">,
): Promise<TypedResponse<LoadedReport>> {
  const { searchParams } = ctx.request.url;
  try {
    const read = await readReport(ctx, searchParams);
    if ("errors" in read) return pageData({ asked: read, report: null, mayExport }, { status: 400 });
    return pageData({ asked: read.report.request, report: read.report, mayExport });
  } catch (error) {
    ctx.log("error", { event: "report_failed", request_id: ctx.request.id, error: describeError(error) });
    return pageData<LoadedReport>({ asked: null, report: null, mayExport });
  }
}
