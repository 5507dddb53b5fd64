export const REPORTS_PATH = "/admin/reports";

export const REPORT_TYPES = ["summary", "submissions", "users", "performance"] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** Limits the days of a report, so that it reads a row a day at most. */
export const REPORT_DAYS_MAX = 366;

/** Limits how many e-mail domains are counted, and how many of them the panel shows. */
export const DOMAINS_COUNTED = 10;
export const DOMAINS_SHOWN = 5;

/** Names what a report is about: calendar days of the site's time zone, both included. */
export type ReportRequest = { type: ReportType; from: string; to: string };

/** Holds what was asked for as it stands in the address, with what is wrong with it, by field. */
export type RejectedRequest = { type: ReportType; from: string; to: string; errors: { from?: string; to?: string } };

/** Tells whether no report can be made of what was asked for. */
export const isRejected = (asked: ReportRequest | RejectedRequest): asked is RejectedRequest => "errors" in asked;

/** Returns the type that an address asks for. */
export const typeIn = (params: URLSearchParams): ReportType =>
  REPORT_TYPES.find((type) => type === params.get("type")) ?? "summary";

/** Returns the query of a report's address, and of its files. */
const requestQuery = ({ type, from, to }: ReportRequest): string => new URLSearchParams({ type, from, to }).toString();

export const reportPath = (request: ReportRequest): string => `${REPORTS_PATH}?${requestQuery(request)}`;

/** Lists the formats of the files of a report, with their addresses. */
const REPORT_FILES = { csv: "/admin/exports/report.csv", pdf: "/admin/exports/report.pdf" } as const;
export type ReportFormat = keyof typeof REPORT_FILES;

export const reportFilePath = (request: ReportRequest, format: ReportFormat): string =>
  `${REPORT_FILES[format]}?${requestQuery(request)}`;

/** Describes a figure of the page. `to`: the address of the rows behind it. */
export type ReportCard = { label: string; value: string; note: string; to?: string };

/** Describes a bar, whose length is its share in percent of the longest one. */
export type ReportBar = { label: string; count: number; length: number; to: string };

export type ReportTable = {
  id: string;
  title: string;
  columns: readonly { label: string; share: number; isNumber?: boolean }[];
  rows: readonly (readonly string[])[];
  /** Holds for each row the address of what its first number counts, for the page. */
  rowsTo?: readonly (string | null)[];
  /** Says in place of the rows that there are none. */
  none: string;
  /** Says what the numbers mean. */
  note: string;
};

/** Holds a report as the page and its file show it, in words. */
export type Report = {
  request: ReportRequest;
  title: string;
  /** Names the days of the report: "Nov 10–20, 2026". */
  period: string;
  /** Says when it was made, "Nov 22, 2026, 14:05", and on which day of the site's time zone, `YYYY-MM-DD`. */
  madeAt: string;
  madeOn: string;
  cards: readonly ReportCard[];
  byStatus: readonly ReportBar[];
  domains: readonly ReportBar[];
  /** Says of how many submissions the domains and the response times are, if not of all. */
  sampled: string | null;
  /** Says how many submissions are gone that this or another period once counted, if any are. */
  deleted: string | null;
  tables: readonly ReportTable[];
};
