import * as z from "zod";
import { brand } from "~/content/brand";
import type { Calendar, Holiday } from "~/lib/calendar";
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

const END_OF_DAY = 1_440;
const minute = z.int().min(0).max(END_OF_DAY);

/** Describes the frames of a day: in ascending order, none within another. */
const Frames = z
  .array(z.object({ opens: minute, closes: minute }))
  .max(FRAMES_MAX)
  .refine((frames) =>
    frames.every(({ opens, closes }, index) => opens < closes && opens >= (frames[index - 1]?.closes ?? 0)),
  );

/** Describes a day off: "2026-11-27", or each year "12-25". */
const DayOff: z.ZodType<Holiday> = z.object({
  day: z.string().regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/),
  name: z.string().min(1).max(100),
});

/** Reads when people work. A week without any open time is not accepted: nothing could be promised in it. */
export const StoredOpenTimes: z.ZodType<OpenTimes> = z.object({
  week: z
    .array(Frames)
    .length(7)
    .refine((days) => days.some((frames) => frames.length > 0)),
  holidays: z.array(DayOff).max(HOLIDAYS_MAX),
});

/** Limits how far away a promised reply may be: 30 days. */
const Target: z.ZodType<ReplyTarget> = z.discriminatedUnion("unit", [
  z.object({ unit: z.literal("hours"), count: z.int().min(1).max(720) }),
  z.object({ unit: z.literal("working_days"), count: z.int().min(1).max(30) }),
]);

/** Reads how soon a reply is promised for each priority. */
export const StoredReplyTargets = z.object({ urgent: Target, high: Target, medium: Target, low: Target });

export type ReplyTargets = z.output<typeof StoredReplyTargets>;

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

export const StoredClocksToMove: z.ZodType<ClocksToMove> = z.object({ since: z.int(), doneUpTo: z.int() });

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
