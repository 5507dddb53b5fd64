import type { Brand } from "~/content/brand";
import {
  BACKLOG_AGE_LABELS,
  METRIC_DEFINITIONS,
  NO_NUMBER,
  shareInWords,
  timeInWords,
} from "~/features/analytics/labels";
import type { Metrics, Share, TargetCounts } from "~/features/analytics/model";
import { openRowsPath, type RowKind, rowsPath } from "~/features/analytics/paths";
import { keptShare, resolutionRate } from "~/features/analytics/rates";
import type { PdfBlock, PdfDocument, PdfPicture } from "~/features/pdf/model";
import { SUBMISSION_STATUS_LABELS } from "~/features/submissions/labels";
import { SUBMISSION_STATUSES } from "~/features/submissions/model";
import { PRIORITY_LABELS } from "~/features/tickets/labels";
import { TICKET_PRIORITIES } from "~/features/tickets/model";
import type { CsvCell } from "~/lib/csv";
import { plural } from "~/lib/text";
import { type Duration, hours, type Instant } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";
import { NOTHING_IN_PERIOD, ofNewest, REPORT_DEFINITIONS } from "./labels";
import type { RoleCounts, SubmissionMetrics, UserMetrics } from "./metrics.server";
import type { Report, ReportTable } from "./model";

/** What depends on the type of a report: its tables, and the first one as its CSV file has it. */
export type ReportBody = {
  tables: readonly ReportTable[];
  csv: { header: readonly string[]; rows: readonly (readonly CsvCell[])[] };
};

/** The rows that spreadsheets count with first, as the specification has them, then everything else under its title. */
export function reportLines({ report, csv }: { report: Report; csv: ReportBody["csv"] }): (readonly CsvCell[])[] {
  const { title, period, madeAt, cards, sampled, deleted, tables } = report;
  const notes = [sampled, deleted].flatMap((note) => (note ? [[note]] : []));
  return [
    csv.header,
    ...csv.rows,
    [],
    [title, period, `Made ${madeAt}`],
    ...cards.map(({ label, value, note }) => [label, value, note]),
    ...notes,
    ...tables
      .slice(1)
      .flatMap((table) => [
        [],
        [table.title],
        ...(table.rows.length > 0 ? [table.columns.map(({ label }) => label), ...table.rows] : [[table.none]]),
        [table.note],
      ]),
  ];
}

const inFull = (count: number) => count.toLocaleString("en-US");

/** In percent; of nothing there is none. */
const shareOf = (part: number, whole: number) => (whole === 0 ? NO_NUMBER : `${Math.round((100 * part) / whole)}%`);

const byStatusTable = ({ byStatus, total }: SubmissionMetrics): ReportTable => ({
  id: "statuses",
  title: "Submissions by Status",
  columns: [
    { label: "Status", share: 4 },
    { label: "Count", share: 1, isNumber: true },
    { label: "Share", share: 1, isNumber: true },
  ],
  rows: [
    ...SUBMISSION_STATUSES.map((status) => [
      SUBMISSION_STATUS_LABELS[status],
      inFull(byStatus[status]),
      shareOf(byStatus[status], total),
    ]),
    ["Total", inFull(total), shareOf(total, total)],
  ],
  none: NOTHING_IN_PERIOD,
  note: REPORT_DEFINITIONS.submissions,
});

const domainsTable = ({ domains, sampled }: SubmissionMetrics): ReportTable => ({
  id: "domains",
  title: "Top Email Domains",
  columns: [
    { label: "Domain", share: 4 },
    { label: "Submissions", share: 1, isNumber: true },
  ],
  rows: domains.map(({ domain, count }) => [domain, inFull(count)]),
  none: NOTHING_IN_PERIOD,
  note: [REPORT_DEFINITIONS.domains, sampled === null ? "" : ofNewest(sampled)].filter(Boolean).join(" "),
});

function timesTable({ days }: SubmissionMetrics, isLong: boolean): ReportTable {
  const groups = new Map<string, { new: number; contacted: number; resolved: number }>();
  for (const { day, ...counts } of days) {
    const group = isLong ? day.slice(0, 7) : day;
    const sum = groups.get(group) ?? { new: 0, contacted: 0, resolved: 0 };
    for (const status of SUBMISSION_STATUSES) sum[status] += counts[status];
    groups.set(group, sum);
  }
  return {
    id: "days",
    title: isLong ? "By month" : "By day",
    columns: [
      { label: isLong ? "Month" : "Day", share: 3 },
      ...SUBMISSION_STATUSES.map((status) => ({ label: SUBMISSION_STATUS_LABELS[status], share: 1, isNumber: true })),
      { label: "Total", share: 1, isNumber: true },
    ],
    rows: [...groups].map(([group, counts]) => {
      const each = SUBMISSION_STATUSES.map((status) => counts[status]);
      const name = isLong ? monthName(group) : `${shortDay(group)}, ${group.slice(0, 4)}`;
      return [name, ...each.map(inFull), inFull(each.reduce((sum, count) => sum + count, 0))];
    }),
    none: NOTHING_IN_PERIOD,
    note: REPORT_DEFINITIONS.days,
  };
}

/** "Nov 2026" */
const monthName = (month: string) => `${shortDay(`${month}-01`).slice(0, 3)} ${month.slice(0, 4)}`;

const statusCsv = ({ byStatus }: SubmissionMetrics): ReportBody["csv"] => ({
  header: ["Status", "Count"],
  rows: SUBMISSION_STATUSES.map((status) => [SUBMISSION_STATUS_LABELS[status], byStatus[status]]),
});

export const summaryBody = (metrics: SubmissionMetrics, tickets: ReportTable): ReportBody => ({
  tables: [byStatusTable(metrics), tickets, domainsTable(metrics)],
  csv: statusCsv(metrics),
});

const DAYS_LISTED = 62;

export const submissionsBody = (metrics: SubmissionMetrics, daysAsked: number): ReportBody => ({
  tables: [byStatusTable(metrics), timesTable(metrics, daysAsked > DAYS_LISTED), domainsTable(metrics)],
  csv: statusCsv(metrics),
});

const USER_COLUMNS = ["Month", "New Users", "Admins", "Moderators", "Regular Users"] as const;

const allOf = ({ admin, moderator, user }: RoleCounts) => [admin + moderator + user, admin, moderator, user];

export function usersBody({ months, now }: UserMetrics): ReportBody {
  const rows: [string, number[]][] = [
    ...months.map(({ month, ...counts }): [string, number[]] => [monthName(month), allOf(counts)]),
    ["All accounts", allOf(now)],
  ];
  const table: ReportTable = {
    id: "users",
    title: "Users",
    columns: USER_COLUMNS.map((label, index) => ({ label, share: index === 0 ? 2 : 1, isNumber: index > 0 })),
    rows: rows.map(([name, counts]) => [name, ...counts.map(inFull)]),
    none: NOTHING_IN_PERIOD,
    note: REPORT_DEFINITIONS.users,
  };
  const csvRows = [...months.map(({ month, ...counts }) => [month, ...allOf(counts)]), ["All accounts", ...allOf(now)]];
  return { tables: [table], csv: { header: USER_COLUMNS, rows: csvRows } };
}

/** Hours with two decimals: a number that a spreadsheet counts with. */
const inHours = (time: Duration | null) => (time === null ? NO_NUMBER : (time / hours(1)).toFixed(2));

const lag = ({ unmeasured }: Metrics) =>
  unmeasured === 0
    ? ""
    : ` ${plural(unmeasured, "ticket", "tickets")} changed just now and will be counted in a minute.`;

export function ticketsTable(metrics: Metrics): ReportTable {
  const { open, wall } = metrics.firstResponse;
  const rate = resolutionRate(metrics);
  const kept = keptShare(metrics.promises);
  const backlog = BACKLOG_AGE_LABELS.map((label, age) => `${label}: ${inFull(metrics.backlog[age] ?? 0)}`).join(", ");
  const { from, to } = metrics;
  const counted = (of: RowKind) => rowsPath({ of, from, to });
  // A share without a case leads to what it is a share of: the page of its own rows would be empty.
  const casesOf = ({ part }: Share, of: RowKind, whole: RowKind) => counted(part > 0 ? of : whole);
  const { reopened, satisfaction } = metrics;
  const rows: [name: string, value: string, cases: number | null, meaning: string, rowsTo: string | null][] = [
    ["Tickets created", inFull(metrics.created), null, METRIC_DEFINITIONS.created, counted("created")],
    ["Tickets resolved", inFull(metrics.resolved), null, METRIC_DEFINITIONS.resolved, counted("resolved")],
    [
      "Resolution Rate",
      shareInWords(rate),
      rate.n,
      METRIC_DEFINITIONS.resolutionRate,
      casesOf(rate, "resolved", "created"),
    ],
    [
      "First response, median",
      timeInWords(open.median),
      open.n,
      `${METRIC_DEFINITIONS.firstResponse} ${METRIC_DEFINITIONS.openHours}`,
      counted("answered"),
    ],
    [
      "First response, 90th percentile",
      timeInWords(open.p90),
      open.n,
      METRIC_DEFINITIONS.openHours,
      counted("answered"),
    ],
    ["First response, mean", timeInWords(open.mean), open.n, METRIC_DEFINITIONS.openHours, counted("answered")],
    [
      "First response, calendar time",
      timeInWords(wall.median),
      wall.n,
      `Median. ${METRIC_DEFINITIONS.wallTime}`,
      counted("answered"),
    ],
    [
      "Resolution, median",
      timeInWords(metrics.resolution.median),
      metrics.resolution.n,
      METRIC_DEFINITIONS.resolution,
      counted("resolved"),
    ],
    [
      "Promises kept",
      shareInWords(kept),
      kept.n,
      METRIC_DEFINITIONS.promises,
      counted(metrics.promises.missed > 0 ? "missed" : "kept"),
    ],
    [
      "Reopened",
      shareInWords(reopened),
      reopened.n,
      METRIC_DEFINITIONS.reopened,
      casesOf(reopened, "reopened", "resolved"),
    ],
    [
      "Satisfaction",
      shareInWords(satisfaction),
      satisfaction.n,
      METRIC_DEFINITIONS.satisfaction,
      counted(satisfaction.n > satisfaction.part ? "bad" : "good"),
    ],
    [
      "Backlog",
      inFull(metrics.backlog.reduce((sum, count) => sum + count, 0)),
      null,
      `${METRIC_DEFINITIONS.backlog} ${backlog}.`,
      openRowsPath({ to }),
    ],
  ];
  return {
    id: "tickets",
    title: "Tickets",
    columns: [
      { label: "Figure", share: 5 },
      { label: "Value", share: 3, isNumber: true },
      { label: "Cases", share: 2, isNumber: true },
      { label: "What it means", share: 10 },
    ],
    rows: rows.map(([name, value, cases, meaning]) => [name, value, cases === null ? "" : inFull(cases), meaning]),
    rowsTo: rows.map(([, value, , , path]) => (value === NO_NUMBER ? null : path)),
    none: NOTHING_IN_PERIOD,
    note: `${METRIC_DEFINITIONS.precision}${lag(metrics)}`,
  };
}

const PERFORMANCE_COLUMNS = [
  "Priority",
  "Tickets",
  "First Response Median (open hours)",
  "Resolution Median (hours)",
  "Within Promise",
] as const;

const PERFORMANCE_LABELS = ["Priority", "Tickets", "First response, median", "Resolution, median", "Within promise"];

export function performanceBody(metrics: Metrics): ReportBody {
  type Times = { first: Duration | null; resolved: Duration | null; promises: TargetCounts };
  const lines: [name: string, created: number, times: Times][] = TICKET_PRIORITIES.toReversed().map((priority) => {
    const { created, firstResponse, resolution, promises } = metrics.byPriority[priority];
    return [PRIORITY_LABELS[priority], created, { first: firstResponse.median, resolved: resolution.median, promises }];
  });
  const { firstResponse, resolution, firstReplyTargets } = metrics;
  lines.push([
    "All",
    metrics.created,
    { first: firstResponse.open.median, resolved: resolution.median, promises: firstReplyTargets },
  ]);
  const table: ReportTable = {
    id: "performance",
    title: "Performance by priority",
    columns: PERFORMANCE_LABELS.map((label, index) => ({ label, share: 1, isNumber: index > 0 })),
    rows: lines.map(([name, created, { first, resolved, promises }]) => [
      name,
      inFull(created),
      timeInWords(first),
      timeInWords(resolved),
      shareInWords(keptShare(promises)),
    ]),
    rowsTo: [...TICKET_PRIORITIES.toReversed(), null].map((priority) =>
      rowsPath({ of: "created", from: metrics.from, to: metrics.to, priority }),
    ),
    none: NOTHING_IN_PERIOD,
    note: `${REPORT_DEFINITIONS.performance} ${METRIC_DEFINITIONS.precision}${lag(metrics)}`,
  };
  const csvRows = lines.map(([name, created, { first, resolved, promises }]) => [
    name,
    created,
    inHours(first),
    inHours(resolved),
    shareInWords(keptShare(promises)),
  ]);
  return { tables: [table, ticketsTable(metrics)], csv: { header: PERFORMANCE_COLUMNS, rows: csvRows } };
}

export function reportDocument(
  report: Report,
  { brand, picture, createdAt }: { brand: Brand; picture: PdfPicture | null; createdAt: Instant },
): PdfDocument {
  const { title, period, madeAt, cards, sampled, deleted, tables } = report;
  return {
    title: `${title}, ${period}`,
    sender: { name: brand.name, color: brand.color, hasLogo: brand.logo !== null, picture, lines: [] },
    headerLines: [period, `Made ${madeAt}`],
    createdAt,
    blocks: [
      { kind: "title", text: title },
      { kind: "figures", figures: cards.map(({ label, value, note }) => ({ value, label: `${label}\n${note}` })) },
      ...[sampled, deleted].flatMap((text): PdfBlock[] => (text ? [{ kind: "text", text, isMuted: true }] : [])),
      ...tables.flatMap((table): PdfBlock[] => [
        { kind: "heading", text: table.title },
        { kind: "table", columns: table.columns, rows: table.rows, none: table.none },
        { kind: "text", text: table.note, isMuted: true },
      ]),
    ],
  };
}
