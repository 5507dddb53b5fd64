import type { Range } from "./definitions";
import type { RowKind, Tab } from "./paths";
import { PERIOD_PROBLEMS } from "./period";

export const ANALYTICS_FAILED = "Failed to load analytics";
export const UNKNOWN_RANGE = "There is no such range. These are the last 30 days.";

export const RANGE_LABELS: Record<Range, string> = {
  7: "Last 7 days",
  30: "Last 30 days",
  90: "Last 90 days",
  365: "Last year",
};

export const TAB_LABELS: Record<Tab, string> = {
  overview: "Overview",
  trends: "Trends",
  organizations: "Organizations",
};

/** Says what a number counts, as the title of its rows. */
export const ROW_TITLES: Record<RowKind, string> = {
  created: "Tickets created",
  answered: "First replies",
  resolved: "Tickets resolved",
  reopened: "Resolutions undone within 14 days",
  kept: "Promises kept",
  missed: "Promises missed",
  good: "Answered: solved",
  bad: "Answered: still broken",
  open: "Tickets open at the end",
};

/** Says why there are no rows to show. */
export const ROWS_PROBLEMS = { ...PERIOD_PROBLEMS, unknown_rows: "Nothing is counted by that name." } as const;

export const NO_ROWS = "No rows in this period";

/** Stands where nobody has said why a reply was late: the letter of its month asks for it. */
export const NO_REASON = "No reason written yet";
