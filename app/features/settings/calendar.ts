import { brand } from "~/content/brand";
import type { Calendar } from "~/lib/calendar";
import { calendarOf } from "~/lib/opening-hours";
import type { Instant } from "~/lib/time";

/** Holds when people work, without the time zone, which is a setting of its own. */
export type OpenTimes = Pick<Calendar, "week" | "holidays">;

/** Holds how soon a reply is promised. Around the clock, a working day is 24 hours. */
export type ReplyTarget = { unit: "hours" | "working_days"; count: number };

const { week, holidays } = calendarOf({ zone: brand.timeZone, openingHours: brand.openingHours });
export const DEFAULT_OPEN_TIMES: OpenTimes = { week, holidays };

/** Limits the days off that are kept, and the frames of a day. */
export const HOLIDAYS_MAX = 60;
export const FRAMES_MAX = 4;

/** Holds how soon a reply is promised for each priority, or that a ticket is resolved. */
export type ReplyTargets = Record<"urgent" | "high" | "medium" | "low", ReplyTarget>;

export const DEFAULT_REPLY_TARGETS: ReplyTargets = {
  urgent: { unit: "hours", count: 2 },
  high: { unit: "hours", count: 4 },
  medium: { unit: "working_days", count: 1 },
  low: { unit: "working_days", count: 2 },
};

/**
 * Says that promises which run are to follow the hours as they are now: since when, and up to which ticket that is done
 * already, by its number.
 */
export type ClocksToMove = { since: Instant; doneUpTo: number };

let lastKey = "";
let lastCalendar: Calendar = { zone: "UTC", week: [], holidays: [] };

/**
 * Returns when people work here, in the site's time zone. The same object for the same hours: what it knows of days is
 * cached by it.
 */
export function siteCalendar({ timeZone: zone, openTimes }: { timeZone: string; openTimes: OpenTimes }): Calendar {
  const key = JSON.stringify([zone, openTimes]);
  if (key === lastKey) return lastCalendar;
  lastKey = key;
  lastCalendar = { zone, week: openTimes.week, holidays: openTimes.holidays };
  return lastCalendar;
}
