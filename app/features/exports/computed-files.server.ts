import type { Actor } from "~/access/model";
import type { Ability } from "~/access/policy";
import { commit } from "~/db/client.server";
import { ANALYTICS_HEADER, analyticsLines, ORGANIZATIONS_OF_FILE } from "~/features/analytics/analytics-csv";
import { parseRange } from "~/features/analytics/model";
import { ANALYTICS_PATH, analyticsPath } from "~/features/analytics/paths";
import { readAnalytics } from "~/features/analytics/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { logoPicture } from "~/features/pdf/logo-picture.server";
import { streamOf, writePdf } from "~/features/pdf/write-pdf.server";
import { REPORTS_PATH, type ReportFormat, typeIn } from "~/features/reports/model";
import { type ReportWithFile, readReport } from "~/features/reports/read-report.server";
import { reportDocument, reportLines } from "~/features/reports/report-document";
import { effectiveBrand } from "~/features/settings/queries.server";
import { csvLine, UTF8_BOM } from "~/lib/csv";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, type Download, done, download } from "~/platform/responses.server";
import { tooManyExports } from "./render-export.server";

/** What is wrong with the address is said by the page. */
async function renderAnalytics(ctx: Ctx, actor: SignedIn & Actor): Promise<ActionResult<never>> {
  const { searchParams } = ctx.request.url;
  const range = parseRange(searchParams.get("range"));
  if (range === null) return done({ to: `${ANALYTICS_PATH}?${searchParams}` });
  const now = ctx.now();
  const [limit, analytics] = await Promise.all([
    takeLimit(ctx.db, "export_user", actor.userId, now),
    readAnalytics(ctx, { range, after: null, listed: ORGANIZATIONS_OF_FILE }),
  ]);
  if (!limit.allowed) return tooManyExports(analyticsPath({ range }), { retryAt: limit.retryAt, now });
  const lines = analyticsLines(analytics);
  await commit(ctx.db, [
    recordAudit(ctx, "security.report_exported", {
      subject: { type: "report", id: null, label: null },
      meta: { type: "analytics", format: "csv" },
    }),
  ]);
  return download({
    fileName: `analytics-${analytics.metrics.from}-to-${analytics.metrics.to}.csv`,
    contentType: "text/csv; charset=utf-8",
    content: UTF8_BOM + [ANALYTICS_HEADER, ...lines].map(csvLine).join(""),
  });
}

/** The name of a file does not depend on it but for its ending. */
type Format = { contentType: string; write: (ctx: Ctx, read: ReportWithFile) => Promise<Download["content"]> };

const FORMATS: Record<ReportFormat, Format> = {
  csv: {
    contentType: "text/csv; charset=utf-8",
    write: async (_ctx, read) => UTF8_BOM + reportLines(read).map(csvLine).join(""),
  },
  pdf: {
    contentType: "application/pdf",
    write: async (ctx, { report }) => {
      const brand = await effectiveBrand(ctx);
      const picture = await logoPicture(ctx, brand.logo);
      const document = reportDocument(report, { brand, picture, createdAt: ctx.now() });
      return streamOf((await writePdf(document)).bytes);
    },
  },
};

/** What is wrong with the address is said by the page. */
async function renderReport(ctx: Ctx, actor: SignedIn & Actor, format: ReportFormat): Promise<ActionResult<never>> {
  const { searchParams } = ctx.request.url;
  const type = typeIn(searchParams);
  const page = `${REPORTS_PATH}?${searchParams}`;
  const now = ctx.now();
  const [limit, read] = await Promise.all([
    takeLimit(ctx.db, "export_user", actor.userId, now),
    readReport(ctx, searchParams),
  ]);
  if (!limit.allowed) return tooManyExports(page, { retryAt: limit.retryAt, now });
  if ("errors" in read) return done({ to: page });
  const { contentType, write } = FORMATS[format];
  const content = await write(ctx, read);
  await commit(ctx.db, [
    recordAudit(ctx, "security.report_exported", {
      subject: { type: "report", id: null, label: null },
      meta: { type, format },
    }),
  ]);
  return download({ fileName: `${type}-report-${read.report.madeOn}.${format}`, contentType, content });
}

type Computed = {
  ability: Ability;
  render: (ctx: Ctx, actor: SignedIn & Actor) => Promise<ActionResult<never>>;
};

export const COMPUTED_FILES: ReadonlyMap<string, Computed> = new Map<string, Computed>([
  ["analytics.csv", { ability: "report.export", render: renderAnalytics }],
  ["report.csv", { ability: "report.export", render: (ctx, actor) => renderReport(ctx, actor, "csv") }],
  ["report.pdf", { ability: "report.export", render: (ctx, actor) => renderReport(ctx, actor, "pdf") }],
]);
