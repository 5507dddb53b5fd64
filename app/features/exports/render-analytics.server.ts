import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { ANALYTICS_HEADER, analyticsLines, ORGANIZATIONS_OF_FILE } from "~/features/analytics/analytics-csv";
import { ANALYTICS_PATH, analyticsPath } from "~/features/analytics/paths";
import { parseRange } from "~/features/analytics/period";
import { readAnalytics } from "~/features/analytics/read-analytics.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { csvLine, UTF8_BOM } from "~/lib/csv";
import { type ActionResult, done, download } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { tooManyExports } from "./too-many-exports.server";

/** Returns the figures of a range as a file: those of its page. What is wrong with the address is said by the page. */
export async function renderAnalytics(ctx: Ctx, actor: SignedIn & Actor): Promise<ActionResult<never>> {
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
    fileName: `analytics-${analytics.figures.from}-to-${analytics.figures.to}.csv`,
    contentType: "text/csv; charset=utf-8",
    content: UTF8_BOM + [ANALYTICS_HEADER, ...lines].map(csvLine).join(""),
  });
}
