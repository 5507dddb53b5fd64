import { afterOpenTime, type OpeningHours, workingDayLength } from "~/lib/opening-hours";
import type { Instant } from "~/lib/time";

/** Holds what a promised time is counted by: the opening hours and the zone they are in, an IANA name. */
export type BusinessCalendar = { zone: string; openingHours: OpeningHours };

/**
 * Returns when a submission must have been answered. Every one is promised an answer within one business day, which is
 * as much open time as a working day has.
 */
export const replyDueAt = (calendar: BusinessCalendar, submittedAt: Instant): Instant =>
  afterOpenTime(calendar, submittedAt, workingDayLength(calendar.openingHours));

/**
 * Returns a promised time for visitors, who may live elsewhere: "Monday, November 23, 2:05 PM CST". Seconds are left
 * out, so that it is never later than the promise.
 */
export function promisedTime(zone: string, at: Instant): string {
  const day = new Intl.DateTimeFormat("en-US", { timeZone: zone, weekday: "long", month: "long", day: "numeric" });
  const time = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  // Some versions of the formatter set a narrow space before AM and PM.
  return `${day.format(at)}, ${time.format(at)}`.replaceAll("\u202f", " ");
}
