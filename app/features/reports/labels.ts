import { plural } from "~/lib/text";
import type { ReportType } from "./model";

export const REPORT_FAILED = "Failed to load report";

export const CHOOSE_BOTH = "Choose both dates";
export const DAYS_AHEAD = "Choose days up to today";
export const TOO_LONG = "Choose a year at most";

export const TYPE_LABELS: Record<ReportType, string> = {
  summary: "Summary",
  submissions: "Submissions",
  users: "Users",
  performance: "Performance",
};

export const NO_SUBMISSIONS = "No submissions yet";
export const NO_RESPONSES = "No responses in this period";
export const NOTHING_IN_PERIOD = "Nothing in this period.";

export const REPORT_DEFINITIONS = {
  submissions: "Submissions that were sent in this period, without held ones, by their status now.",
  response: "From a submission of this period to its first answer, which is when it is no longer new, in open hours.",
  resolvedNowRate: "Resolved now ÷ sent in this period.",
  domains: "What stands behind the @ of the sender’s address.",
  days: "Counted on the day they were sent, by their status now.",
  performance:
    "Tickets by the priority that was chosen first: how many were created, how soon they were answered for the first time and resolved, and how many first replies were within the promise.",
  users: "Accounts on the day they were created, by their role now. The last row counts all accounts there are.",
} as const;

/** `since`: the first day of the period, in words. */
export const deletedSince = (count: number, since: string): string =>
  `Retention and purges have deleted ${plural(count, "submission")} since ${since}. Reports no longer count what is deleted.`;

export const ofNewest = (count: number): string => `Of the newest ${count.toLocaleString("en-US")} of this period.`;
