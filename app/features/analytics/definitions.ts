import { PRECISION } from "./histogram";

/** Lists the ranges of the page, in days that end today. The first that is not asked for otherwise is 30. */
export const RANGES = [7, 30, 90, 365] as const;
export type Range = (typeof RANGES)[number];
export const DEFAULT_RANGE: Range = 30;

/** Sets from how many cases on a share is shown as a percentage. Of fewer, the cases are named. */
export const PERCENT_FROM = 5;

/** Says what each number means, as it is printed under it. Screens, files and letters all take it from here. */
export const DEFINITIONS = {
  created: "Counted on the day they were created.",
  firstResponse:
    "From the client's ticket to the first public message by a person of our staff. Notes, status changes and automatic mails do not count; tickets that staff opened are left out until the client writes. Counted on the day of the reply.",
  openHours: "In open hours, by the calendar in force when the ticket was created.",
  wallTime: "Calendar time, nights and weekends included.",
  precision: `Median and 90th percentile are exact ${PRECISION}, the mean is exact.`,
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

/** Lists the ages of the backlog, by the first day of each, in days since the ticket was created. */
export const BACKLOG_AGES = [0, 2, 8, 31] as const;

/** Names the ages of the backlog, in days since the ticket was created. */
export const BACKLOG_AGE_LABELS = ["Up to 1 day", "2 to 7 days", "8 to 30 days", "Over 30 days"] as const;

/** Says why there is no number. */
export const NO_DATA = {
  tickets: "No tickets in this range.",
  responses: "No responses in this period",
  promises: "No promises in this period",
  resolved: "Nothing was resolved in this period",
  votes: "No answers in this period",
} as const;

/** Stands where there is no number. */
export const NO_NUMBER = "—";
