import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { addDays } from "~/lib/time";
import { DEFAULT_RANGE, LONGEST_PERIOD, type Range } from "./model";

export const ANALYTICS_PATH = "/admin/analytics";
const ROWS_PATH = "/admin/analytics/rows";
const FILE_PATH = "/admin/exports/analytics.csv";

export const TABS = ["overview", "trends", "organizations"] as const;
export type Tab = (typeof TABS)[number];

export const ROW_KINDS = [
  "created",
  "answered",
  "resolved",
  "reopened",
  "kept",
  "missed",
  "good",
  "bad",
  "open",
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/**
 * Says which rows are behind a number; `open`: tickets created on these days and active at the end of the last one.
 * Days are `YYYY-MM-DD` in the site's time zone, both included.
 */
export type RowsAsked = {
  of: RowKind;
  from: string;
  to: string;
  organization?: string | null;
  priority?: TicketPriority | null;
  /** Limits the rows to tickets that have this status now; only of tickets that were created. */
  status?: TicketStatus | "active" | null;
  /** Limits the promises to the first replies. */
  promise?: "first_response" | null;
};

export function analyticsPath({ range = DEFAULT_RANGE, tab = "overview" }: { range?: Range; tab?: Tab }): string {
  const params = new URLSearchParams();
  if (range !== DEFAULT_RANGE) params.set("range", String(range));
  if (tab !== "overview") params.set("tab", tab);
  return params.size === 0 ? ANALYTICS_PATH : `${ANALYTICS_PATH}?${params}`;
}

export const analyticsFilePath = (range: Range): string =>
  range === DEFAULT_RANGE ? FILE_PATH : `${FILE_PATH}?${new URLSearchParams({ range: String(range) })}`;

export const activeRowsPath = ({ from, to }: { from?: string; to: string }): string =>
  rowsPath({ of: "created", from: from ?? addDays(to, 1 - LONGEST_PERIOD), to, status: "active" });

export const openRowsPath = ({ to }: { to: string }): string =>
  rowsPath({ of: "open", from: addDays(to, 1 - LONGEST_PERIOD), to });

export function rowsPath(asked: RowsAsked): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value) params.set(name, value);
  return `${ROWS_PATH}?${params}`;
}
