import { afterOpenTime, afterWorkingDays, type Calendar, nextOpening, openTimeBetween } from "~/lib/calendar";
import { type Due, dueOf } from "~/lib/due";
import type { Instant } from "~/lib/time";

/**
 * Returns when a submission must have been answered. Every one is promised an answer within one business day: the open
 * time from the next opening on until the same time of the next working day.
 */
export function replyDueAt(calendar: Calendar, submittedAt: Instant): Instant {
  const start = nextOpening(calendar, submittedAt);
  return afterOpenTime(calendar, start, openTimeBetween(calendar, start, afterWorkingDays(calendar, start, 1)));
}

type Facts = {
  zone: string;
  now: Instant;
  dueAt: Instant;
  /** Tells whether it still waits for its answer. */
  isNew: boolean;
  /** Holds the first time it was moved out of new; `null` while it never was. */
  answeredAt: Instant | null;
};

/**
 * Returns how the promise to a submission stands; the first answer decides, whatever came later. Null where nothing was
 * promised, because it counted as answered when it came.
 */
export const replyDue = ({ isNew, ...facts }: Facts): Due | null =>
  !isNew && facts.answeredAt === null ? null : dueOf(facts);

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
