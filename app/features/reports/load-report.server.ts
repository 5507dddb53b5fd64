import type { TypedResponse } from "@remix-run/cloudflare";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";
import { pageData } from "~/platform/page-data.server";
import {
  abilityOf,
  type RejectedRequest,
  type Report,
  type ReportRequest,
  type ReportType,
  typeIn,
  typesFor,
} from "./model";
import { readReport } from "./read-report.server";

type LoadedReport = {
  /** What the form shows; null: nothing could be read. */
  asked: ReportRequest | RejectedRequest | null;
  types: ReportType[];
  report: Report | null;
  mayExport: boolean;
};

/** Loads the page of reports. Throws the answer to somebody who asks for a type that is not for them. */
export async function loadReport(
  ctx: Ctx,
  actor: Actor,
  { mayExport }: Pick<LoadedReport, "mayExport">,
): Promise<TypedResponse<LoadedReport>> {
  const { searchParams } = ctx.request.url;
  if (!can(actor, abilityOf(typeIn(searchParams))))
    throw new Response(null, { status: 403, statusText: "Access Denied" });
  const types = typesFor(actor);
  try {
    const read = await readReport(ctx, searchParams);
    if ("errors" in read) return pageData({ asked: read, types, report: null, mayExport }, { status: 400 });
    return pageData({ asked: read.report.request, types, report: read.report, mayExport });
  } catch (error) {
    ctx.log("error", { event: "report_failed", request_id: ctx.request.id, error: describeError(error) });
    return pageData<LoadedReport>({ asked: null, types, report: null, mayExport });
  }
}
