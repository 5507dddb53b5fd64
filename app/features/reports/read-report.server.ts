import type { Db } from "~/db/client.server";
import { percentOf } from "~/features/analytics/model";
import { readFigures } from "~/features/analytics/queries.server";
import { siteCalendar } from "~/features/settings/calendar";
import { readInSiteZone } from "~/features/settings/queries.server";
import { STATUS_LABELS } from "~/features/submissions/labels";
import { submissionList } from "~/features/submissions/list/definition";
import { SUBMISSION_STATUSES } from "~/features/submissions/model";
import { daysInWords } from "~/lib/days-in-words";
import { durationInWords } from "~/lib/due";
import { dayIn, days, type Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time";
import { DEFINITIONS, deletedSince, NO_NUMBER, NO_RESPONSES, NO_SUBMISSIONS, ofNewest, TYPE_LABELS } from "./copy";
import {
  DOMAINS_SHOWN,
  isRejected,
  type RejectedRequest,
  type Report,
  type ReportBar,
  type ReportCard,
  type ReportRequest,
} from "./model";
import { readRequest } from "./read-request";
import { type ReportBody, submissionsBody, summaryBody, usersBody } from "./report-tables";
import { readSubmissionFigures, type SubmissionFigures } from "./submission-figures.server";
import { performanceBody, ticketsTable } from "./ticket-tables";
import { readUserFigures } from "./user-figures.server";

/** Holds a report and the rows of its CSV file. Page, CSV and PDF are all made of this one object. */
export type ReportWithFile = { report: Report; csv: ReportBody["csv"] };

/**
 * Reads the report that an address asks for, in one round trip, or returns what is wrong with the address. The rows
 * that it reads grow with the days, not with what happened on them.
 */
export async function readReport(
  { db, now }: { db: Db; now: () => Instant },
  params: URLSearchParams,
): Promise<ReportWithFile | RejectedRequest> {
  const at = now();
  const { settings, value } = await readInSiteZone(db, async (zone) => {
    const asked = readRequest(params, dayIn(zone, at));
    if (isRejected(asked)) return asked;
    const [submissions, body] = await Promise.all([
      readSubmissionFigures(db, asked, zone),
      bodyReader(db, asked, zone),
    ]);
    return { asked, submissions, body };
  });
  if ("errors" in value) return value;
  const figures = value.submissions(siteCalendar(settings));
  const { tables, csv } = value.body(figures);
  const { asked } = value;
  const report: Report = {
    request: asked,
    title: `${TYPE_LABELS[asked.type]} report`,
    period: daysInWords(asked) ?? "",
    madeAt: formatInstant(at, settings.timeZone, "datetime"),
    madeOn: dayIn(settings.timeZone, at),
    cards: cardsOf(figures, asked),
    byStatus: statusBars(figures, asked),
    domains: domainBars(figures, asked),
    sampled: figures.sampled === null ? null : ofNewest(figures.sampled),
    deleted:
      figures.deleted === 0
        ? null
        : deletedSince(figures.deleted, daysInWords({ from: asked.from, to: asked.from }) ?? ""),
    tables,
  };
  return { report, csv };
}

/** Reads what a type needs besides the submissions, and returns how it is put together with them. */
async function bodyReader(
  db: Db,
  { type, ...range }: ReportRequest,
  zone: string,
): Promise<(figures: SubmissionFigures) => ReportBody> {
  switch (type) {
    case "users": {
      const users = await readUserFigures(db, range, zone);
      return () => usersBody(users);
    }
    case "submissions":
      return (figures) => submissionsBody(figures, daysOf(range));
    case "summary": {
      const tickets = ticketsTable(await readFigures(db, range));
      return (figures) => summaryBody(figures, tickets);
    }
    case "performance": {
      const body = performanceBody(await readFigures(db, range));
      return () => body;
    }
  }
}

const daysOf = ({ from, to }: Pick<ReportRequest, "from" | "to">): number =>
  1 + Math.round((Date.parse(to) - Date.parse(from)) / days(1));

const noFilter = submissionList.readFilter(new URLSearchParams());

/** Returns the address of the submissions behind a figure. */
const rowsPath = ({ from, to }: ReportRequest, filter: Partial<typeof noFilter> = {}): string =>
  submissionList.pathTo({ ...noFilter, from, to, ...filter });

/** Returns the address of the submissions from a domain. With its @ it is not found within another one. */
const rowsOfDomain = (asked: ReportRequest, domain: string): string => rowsPath(asked, { q: `@${domain}` });

function cardsOf(
  { total, byStatus, response, domains, sampled }: SubmissionFigures,
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
      ...rateOf(byStatus.resolved, total),
      // Without a resolved one to what the rate is of: a list of none would explain nothing.
      to: rowsPath(asked, byStatus.resolved > 0 ? { status: "resolved" } : {}),
    },
  ];
}

const partOf = (part: number, n: number): string => `${part.toLocaleString("en-US")} of ${n.toLocaleString("en-US")}`;

function rateOf(part: number, n: number): Pick<ReportCard, "value" | "note"> {
  if (n === 0) return { value: NO_NUMBER, note: NO_SUBMISSIONS };
  const inWords = partOf(part, n);
  const percent = percentOf({ part, n });
  return percent === null
    ? { value: inWords, note: DEFINITIONS.resolutionRate }
    : { value: `${percent}%`, note: `${inWords} sent in this period, resolved now` };
}

function statusBars({ byStatus }: SubmissionFigures, asked: ReportRequest): ReportBar[] {
  return barsOf(
    SUBMISSION_STATUSES.map((status) => ({
      label: STATUS_LABELS[status],
      count: byStatus[status],
      to: rowsPath(asked, { status }),
    })),
  );
}

const domainBars = ({ domains }: SubmissionFigures, asked: ReportRequest): ReportBar[] =>
  barsOf(
    domains
      .slice(0, DOMAINS_SHOWN)
      .map(({ domain, count }) => ({ label: domain, count, to: rowsOfDomain(asked, domain) })),
  );

function barsOf(bars: readonly Omit<ReportBar, "length">[]): ReportBar[] {
  const longest = Math.max(1, ...bars.map(({ count }) => count));
  return bars.map((bar) => ({ ...bar, length: Math.round((100 * bar.count) / longest) }));
}
