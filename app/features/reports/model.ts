export const REPORTS_PATH = "/admin/reports";

export const REPORT_TYPES = ["summary", "submissions", "users", "performance"] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** A report reads a row a day at most. */
export const REPORT_DAYS_MAX = 366;

export const DOMAINS_COUNTED = 10;
export const DOMAINS_SHOWN = 5;

/** Calendar days of the site's time zone, both included. */
export type ReportRequest = { type: ReportType; from: string; to: string };

export type RejectedRequest = { type: ReportType; from: string; to: string; errors: { from?: string; to?: string } };

export const isRejected = (asked: ReportRequest | RejectedRequest): asked is RejectedRequest => "errors" in asked;

export const typeIn = (params: URLSearchParams): ReportType =>
  REPORT_TYPES.find((type) => type === params.get("type")) ?? "summary";

const REPORT_FILES = { csv: "/admin/exports/report.csv", pdf: "/admin/exports/report.pdf" } as const;
export type ReportFormat = keyof typeof REPORT_FILES;

export const reportFilePath = ({ type, from, to }: ReportRequest, format: ReportFormat): string =>
  `${REPORT_FILES[format]}?${new URLSearchParams({ type, from, to })}`;

/** `to`: the address of the rows behind it. */
export type ReportCard = { label: string; value: string; note: string; to?: string };

export type ReportBar = { label: string; count: number; length: number; to: string };

export type ReportTable = {
  id: string;
  title: string;
  columns: readonly { label: string; share: number; isNumber?: boolean }[];
  rows: readonly (readonly string[])[];
  /** For each row the address of what its first number counts. */
  rowsTo?: readonly (string | null)[];
  none: string;
  note: string;
};

export type Report = {
  request: ReportRequest;
  title: string;
  /** "Nov 10–20, 2026" */
  period: string;
  /** "Nov 22, 2026, 14:05", and the day of the site's time zone, `YYYY-MM-DD`. */
  madeAt: string;
  madeOn: string;
  cards: readonly ReportCard[];
  byStatus: readonly ReportBar[];
  domains: readonly ReportBar[];
  sampled: string | null;
  /** Submissions that this or another period once counted, if any are gone. */
  deleted: string | null;
  tables: readonly ReportTable[];
};
