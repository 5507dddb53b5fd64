import { STATUS_LABELS } from "~/features/submissions/labels";
import { SUBMISSION_STATUSES } from "~/features/submissions/model";
import type { CsvCell } from "~/lib/csv";
import { shortDay } from "~/lib/due";
import { DEFINITIONS, NO_NUMBER, NOTHING_IN_PERIOD, ofNewest } from "./copy";
import type { Report, ReportTable } from "./model";
import type { SubmissionFigures } from "./submission-figures.server";
import type { RoleCounts, UserFigures } from "./user-figures.server";

/** Holds the parts of a report that depend on its type: its tables, and the first one as its CSV file has it. */
export type ReportBody = {
  tables: readonly ReportTable[];
  csv: { header: readonly string[]; rows: readonly (readonly CsvCell[])[] };
};

/**
 * Returns the lines of the CSV file: the rows that spreadsheets count with first, as the specification has them, then
 * everything else that the page and the PDF file show, each part under its title.
 */
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

/** Says what a part of a whole is in percent; of nothing there is none. */
const shareOf = (part: number, whole: number) => (whole === 0 ? NO_NUMBER : `${Math.round((100 * part) / whole)}%`);

const byStatusTable = ({ byStatus, total }: SubmissionFigures): ReportTable => ({
  id: "statuses",
  title: "Submissions by Status",
  columns: [
    { label: "Status", share: 4 },
    { label: "Count", share: 1, isNumber: true },
    { label: "Share", share: 1, isNumber: true },
  ],
  rows: [
    ...SUBMISSION_STATUSES.map((status) => [
      STATUS_LABELS[status],
      inFull(byStatus[status]),
      shareOf(byStatus[status], total),
    ]),
    ["Total", inFull(total), shareOf(total, total)],
  ],
  none: NOTHING_IN_PERIOD,
  note: DEFINITIONS.submissions,
});

const domainsTable = ({ domains, sampled }: SubmissionFigures): ReportTable => ({
  id: "domains",
  title: "Top Email Domains",
  columns: [
    { label: "Domain", share: 4 },
    { label: "Submissions", share: 1, isNumber: true },
  ],
  rows: domains.map(({ domain, count }) => [domain, inFull(count)]),
  none: NOTHING_IN_PERIOD,
  note: [DEFINITIONS.domains, sampled === null ? "" : ofNewest(sampled)].filter(Boolean).join(" "),
});

/** Shows when submissions came: day by day, or for more than two months month by month. */
function timesTable({ days }: SubmissionFigures, isLong: boolean): ReportTable {
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
      ...SUBMISSION_STATUSES.map((status) => ({ label: STATUS_LABELS[status], share: 1, isNumber: true })),
      { label: "Total", share: 1, isNumber: true },
    ],
    rows: [...groups].map(([group, counts]) => {
      const each = SUBMISSION_STATUSES.map((status) => counts[status]);
      const name = isLong ? monthName(group) : `${shortDay(group)}, ${group.slice(0, 4)}`;
      return [name, ...each.map(inFull), inFull(each.reduce((sum, count) => sum + count, 0))];
    }),
    none: NOTHING_IN_PERIOD,
    note: DEFINITIONS.days,
  };
}

/** Names a month, `YYYY-MM`: "Nov 2026". */
const monthName = (month: string) => `${shortDay(`${month}-01`).slice(0, 3)} ${month.slice(0, 4)}`;

const statusCsv = ({ byStatus }: SubmissionFigures): ReportBody["csv"] => ({
  header: ["Status", "Count"],
  rows: SUBMISSION_STATUSES.map((status) => [STATUS_LABELS[status], byStatus[status]]),
});

export const summaryBody = (figures: SubmissionFigures, tickets: ReportTable): ReportBody => ({
  tables: [byStatusTable(figures), tickets, domainsTable(figures)],
  csv: statusCsv(figures),
});

/** Limits the days that a report lists one by one. */
const DAYS_LISTED = 62;

export const submissionsBody = (figures: SubmissionFigures, daysAsked: number): ReportBody => ({
  tables: [byStatusTable(figures), timesTable(figures, daysAsked > DAYS_LISTED), domainsTable(figures)],
  csv: statusCsv(figures),
});

const USER_COLUMNS = ["Month", "New Users", "Admins", "Moderators", "Regular Users"] as const;

const allOf = ({ admin, moderator, user }: RoleCounts) => [admin + moderator + user, admin, moderator, user];

export function usersBody({ months, now }: UserFigures): ReportBody {
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
    note: DEFINITIONS.users,
  };
  const csvRows = [...months.map(({ month, ...counts }) => [month, ...allOf(counts)]), ["All accounts", ...allOf(now)]];
  return { tables: [table], csv: { header: USER_COLUMNS, rows: csvRows } };
}
