import type { Duration } from "~/lib/time";
import { durationInWords, shortDay } from "~/lib/time-labels";
import type { Days, PeriodProblem, Range, Share } from "./model";
import type { RowKind, Tab } from "./paths";
import { percentOf } from "./rates";

export const ANALYTICS_FAILED = "Failed to load analytics";
export const UNKNOWN_RANGE = "There is no such range. These are the last 30 days.";

export const RANGE_LABELS: Record<Range, string> = {
  7: "Last 7 days",
  30: "Last 30 days",
  90: "Last 90 days",
  365: "Last year",
};

export const ANALYTICS_TAB_LABELS: Record<Tab, string> = {
  overview: "Overview",
  trends: "Trends",
  organizations: "Organizations",
};

/** The title of the rows that a number counts. */
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

const PERIOD_PROBLEMS: Record<PeriodProblem, string> = {
  missing: "Choose both dates",
  unreadable: "Choose dates that exist, such as 2026-11-18.",
  reversed: "The first day is after the last one. Swap them.",
  future: "The period ends in the future. Choose a last day up to today.",
  too_long: "The period is longer than ten years. Choose a shorter one.",
};

export const ROWS_PROBLEMS = { ...PERIOD_PROBLEMS, unknown_rows: "Nothing is counted by that name." } as const;

export const NO_ROWS = "No rows in this period";

/** Where nobody has said why a reply was late: the letter of its month asks for it. */
export const NO_REASON = "No reason written yet";

export const TARGET_LABELS = { first_response: "First reply", next_response: "Next reply" } as const;

/** What each number means, as it is printed under it. Screens, files and letters all take it from here. */
export const METRIC_DEFINITIONS = {
  created: "Counted on the day they were created.",
  firstResponse:
    "From the client's ticket to the first public message by a person of our staff. Notes, status changes and automatic mails do not count; tickets that staff opened are left out until the client writes. Counted on the day of the reply.",
  openHours: "In open hours, by the calendar in force when the ticket was created.",
  wallTime: "Calendar time, nights and weekends included.",
  precision: "Median and 90th percentile are exact within 5% or half a minute, the mean is exact.",
  promises:
    "Kept ÷ (kept + missed), of promises that were answered or fell due in the period. Unanswered past due is missed.",
  resolved:
    "Resolved, or closed without that, counted on the day it happened. Of several times in the period, the last one counts.",
  resolution: "From the creation to the last time it was resolved in the period. Waiting for the client is included.",
  paused: "Part of it in which we waited for the client.",
  resolutionRate: "Resolved in the period ÷ created in the period.",
  reopened: "Reopened within 14 days ÷ all times a ticket was resolved in the period.",
  backlog: "Tickets that were open, in progress or waiting at the end of the last day, by age.",
  satisfaction: "Yes ÷ all answers to “Solved?” in the period.",
  activeOrganizations: "At least one ticket created, or answered for the first time, in the period.",
  byStatus: "Tickets created in the period, by their status now.",
  byPriority: "As first chosen.",
} as const;

/** The ages of `BACKLOG_AGES`. */
export const BACKLOG_AGE_LABELS = ["Up to 1 day", "2 to 7 days", "8 to 30 days", "Over 30 days"] as const;

export const NO_DATA = {
  tickets: "No tickets in this range.",
  responses: "No responses in this period",
  promises: "No promises in this period",
  resolved: "Nothing was resolved in this period",
  votes: "No answers in this period",
} as const;

/** Where there is no number. */
export const NO_NUMBER = "—";

export const timeInWords = (time: Duration | null): string => (time === null ? NO_NUMBER : durationInWords(time));

/** "60%", "3 of 4" where there are too few cases for a percentage, or a dash where there are none. */
export function shareInWords(share: Share): string {
  if (share.n === 0) return NO_NUMBER;
  const percent = percentOf(share);
  return percent === null ? partInWords(share) : `${percent}%`;
}

export const partInWords = ({ part, n }: Share): string => `${inWords(part)} of ${inWords(n)}`;

export const inWords = (count: number): string => count.toLocaleString("en-US");

export const counted = (count: number, noun: string): string => `${inWords(count)} ${noun}${count === 1 ? "" : "s"}`;

/** "Oct 21 to Nov 20, 2026", or with both years. */
export function periodInWords({ from, to }: Days): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  const end = `${shortDay(to)}, ${last}`;
  if (from === to) return end;
  return first === last ? `${shortDay(from)} to ${end}` : `${shortDay(from)}, ${first} to ${end}`;
}

/** "Jun", of another year than the last one "Dec 2025", and of one that is not over "Nov 1–20". */
export function monthInWords({ from, to }: Days, { to: today }: Days): string {
  const month = shortDay(from).slice(0, 3);
  if (to === today) return from === to ? `${month} 1` : `${month} 1–${Number(to.slice(8))}`;
  return from.slice(0, 4) === today.slice(0, 4) ? month : `${month} ${from.slice(0, 4)}`;
}
