import { json, type TypedResponse } from "@remix-run/cloudflare";
import type { Db } from "~/db/client.server";
import { NO_NUMBER } from "~/features/analytics/labels";
import type { Share } from "~/features/analytics/model";
import { readMetrics } from "~/features/analytics/queries.server";
import { percentOf } from "~/features/analytics/rates";
import { siteCalendar } from "~/features/settings/model";
import { readInSiteZone } from "~/features/settings/queries.server";
import { SUBMISSION_STATUS_LABELS } from "~/features/submissions/labels";
import { submissionList } from "~/features/submissions/list/definition";
import { SUBMISSION_STATUSES } from "~/features/submissions/model";
import { describeError } from "~/lib/errors";
import { addDays, dayIn, days, type Instant, isDay } from "~/lib/time";
import { daysInWords, durationInWords } from "~/lib/time-labels";
import { areDatesReversed } from "~/lists/criteria";
import { DATES_BACKWARDS } from "~/lists/labels";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/text";
import {
  CHOOSE_BOTH,
  DAYS_AHEAD,
  deletedSince,
  NO_RESPONSES,
  NO_SUBMISSIONS,
  ofNewest,
  REPORT_DEFINITIONS,
  TOO_LONG,
  TYPE_LABELS,
} from "./labels";
import { readSubmissionMetrics, readUserMetrics, resolvedNowRate, type SubmissionMetrics } from "./metrics.server";
import {
  DOMAINS_SHOWN,
  isRejected,
  REPORT_DAYS_MAX,
  type RejectedRequest,
  type Report,
  type ReportBar,
  type ReportCard,
  type ReportRequest,
  typeIn,
} from "./model";
import {
  performanceBody,
  type ReportBody,
  submissionsBody,
  summaryBody,
  ticketsTable,
  usersBody,
} from "./report-document";

/** Where nobody has asked otherwise. */
const DEFAULT_DAYS = 30;

function readRequest(params: URLSearchParams, today: string): ReportRequest | RejectedRequest {
  const type = typeIn(params);
  if (!params.has("from") && !params.has("to")) return { type, from: addDays(today, 1 - DEFAULT_DAYS), to: today };
  const [from, to] = [params.get("from")?.trim() ?? "", params.get("to")?.trim() ?? ""];
  const errors = problemsOf({ from, to }, today);
  return errors ? { type, from, to, errors } : { type, from, to };
}

function problemsOf({ from, to }: { from: string; to: string }, today: string): RejectedRequest["errors"] | null {
  const missing = { ...(isDay(from) ? {} : { from: CHOOSE_BOTH }), ...(isDay(to) ? {} : { to: CHOOSE_BOTH }) };
  if (Object.keys(missing).length > 0) return missing;
  if (areDatesReversed({ from, to })) return { from: DATES_BACKWARDS };
  if (to > today) return { to: DAYS_AHEAD };
  return addDays(from, REPORT_DAYS_MAX) <= to ? { from: TOO_LONG } : null;
}

/** Page, CSV and PDF are all made of this one object. */
export type ReportWithFile = { report: Report; csv: ReportBody["csv"] };

/** One round trip. The rows that it reads grow with the days, not with what happened on them. */
export async function readReport(
  { db, now }: { db: Db; now: () => Instant },
  params: URLSearchParams,
): Promise<ReportWithFile | RejectedRequest> {
  const at = now();
  const { settings, value } = await readInSiteZone(db, async (zone) => {
    const asked = readRequest(params, dayIn(zone, at));
    if (isRejected(asked)) return asked;
    const [submissions, body] = await Promise.all([
      readSubmissionMetrics(db, asked, zone),
      bodyReader(db, asked, zone),
    ]);
    return { asked, submissions, body };
  });
  if ("errors" in value) return value;
  const metrics = value.submissions(siteCalendar(settings));
  const { tables, csv } = value.body(metrics);
  const { asked } = value;
  const report: Report = {
    request: asked,
    title: `${TYPE_LABELS[asked.type]} report`,
    period: daysInWords(asked) ?? "",
    madeAt: formatInstant(at, settings.timeZone, "datetime"),
    madeOn: dayIn(settings.timeZone, at),
    cards: cardsOf(metrics, asked),
    byStatus: statusBars(metrics, asked),
    domains: domainBars(metrics, asked),
    sampled: metrics.sampled === null ? null : ofNewest(metrics.sampled),
    deleted:
      metrics.deleted === 0
        ? null
        : deletedSince(metrics.deleted, daysInWords({ from: asked.from, to: asked.from }) ?? ""),
    tables,
  };
  return { report, csv };
}

async function bodyReader(
  db: Db,
  { type, ...range }: ReportRequest,
  zone: string,
): Promise<(metrics: SubmissionMetrics) => ReportBody> {
  switch (type) {
    case "users": {
      const users = await readUserMetrics(db, range, zone);
      return () => usersBody(users);
    }
    case "submissions":
      return (metrics) =>
        submissionsBody(metrics, 1 + Math.round((Date.parse(range.to) - Date.parse(range.from)) / days(1)));
    case "summary": {
      const tickets = ticketsTable(await readMetrics(db, range));
      return (metrics) => summaryBody(metrics, tickets);
    }
    case "performance": {
      const body = performanceBody(await readMetrics(db, range));
      return () => body;
    }
  }
}

const noFilter = submissionList.readFilter(new URLSearchParams());

const rowsPath = ({ from, to }: ReportRequest, filter: Partial<typeof noFilter> = {}): string =>
  submissionList.pathTo({ ...noFilter, from, to, ...filter });

/** With its @ it is not found within another one. */
const rowsOfDomain = (asked: ReportRequest, domain: string): string => rowsPath(asked, { q: `@${domain}` });

function cardsOf(
  { total, byStatus, response, domains, sampled }: SubmissionMetrics,
  asked: ReportRequest,
): ReportCard[] {
  const [first] = domains;
  return [
    {
      label: "Total Submissions",
      value: total.toLocaleString("en-US"),
      note: total === 0 ? NO_SUBMISSIONS : (daysInWords(asked) ?? ""),
      to: rowsPath(asked),
    },
    {
      label: "Avg Response Time",
      value: response ? durationInWords(response.median) : NO_NUMBER,
      note: response ? `Median of ${response.n}, in open hours; mean ${durationInWords(response.mean)}` : NO_RESPONSES,
    },
    {
      label: "Top Domain",
      value: first?.domain ?? NO_NUMBER,
      note: first ? partOf(first.count, sampled ?? total) : NO_SUBMISSIONS,
      to: first && rowsOfDomain(asked, first.domain),
    },
    {
      label: "Resolution Rate",
      ...rateCard(resolvedNowRate({ byStatus, total })),
      // Without a resolved one to what the rate is of: a list of none would explain nothing.
      to: rowsPath(asked, byStatus.resolved > 0 ? { status: "resolved" } : {}),
    },
  ];
}

const partOf = (part: number, n: number): string => `${part.toLocaleString("en-US")} of ${n.toLocaleString("en-US")}`;

function rateCard({ part, n }: Share): Pick<ReportCard, "value" | "note"> {
  if (n === 0) return { value: NO_NUMBER, note: NO_SUBMISSIONS };
  const inWords = partOf(part, n);
  const percent = percentOf({ part, n });
  return percent === null
    ? { value: inWords, note: REPORT_DEFINITIONS.resolvedNowRate }
    : { value: `${percent}%`, note: `${inWords} sent in this period, resolved now` };
}

function statusBars({ byStatus }: SubmissionMetrics, asked: ReportRequest): ReportBar[] {
  return barsOf(
    SUBMISSION_STATUSES.map((status) => ({
      label: SUBMISSION_STATUS_LABELS[status],
      count: byStatus[status],
      to: rowsPath(asked, { status }),
    })),
  );
}

const domainBars = ({ domains }: SubmissionMetrics, asked: ReportRequest): ReportBar[] =>
  barsOf(
    domains
      .slice(0, DOMAINS_SHOWN)
      .map(({ domain, count }) => ({ label: domain, count, to: rowsOfDomain(asked, domain) })),
  );

function barsOf(bars: readonly Omit<ReportBar, "length">[]): ReportBar[] {
  const longest = Math.max(1, ...bars.map(({ count }) => count));
  return bars.map((bar) => ({ ...bar, length: Math.round((100 * bar.count) / longest) }));
}

type LoadedReport = {
  /** Null: nothing could be read. */
  asked: ReportRequest | RejectedRequest | null;
  report: Report | null;
  mayExport: boolean;
};

export async function loadReport(
  ctx: Ctx,
  { mayExport }: Pick<LoadedReport, "mayExport">,
): Promise<TypedResponse<LoadedReport>> {
  const { searchParams } = ctx.request.url;
  try {
    const read = await readReport(ctx, searchParams);
    if ("errors" in read) return json({ asked: read, report: null, mayExport }, { status: 400 });
    return json({ asked: read.report.request, report: read.report, mayExport });
  } catch (error) {
    ctx.log("error", { event: "report_failed", request_id: ctx.request.id, error: describeError(error) });
    return json<LoadedReport>({ asked: null, report: null, mayExport });
  }
}
