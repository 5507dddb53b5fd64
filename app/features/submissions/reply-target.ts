import { afterOpenTime, afterWorkingDays, type Calendar, nextOpening, openTimeBetween } from "~/lib/calendar";
import type { Instant } from "~/lib/time";
import { type Due, dueOf } from "~/lib/time-labels";

/** Within one business day: the open time from the next opening on until the same time of the next working day. */
export function replyDueAt(calendar: Calendar, submittedAt: Instant): Instant {
  const start = nextOpening(calendar, submittedAt);
  return afterOpenTime(calendar, start, openTimeBetween(calendar, start, afterWorkingDays(calendar, start, 1)));
}

/**
 * The first answer decides, whatever came later. Null: nothing was promised, because it counted as answered when it
 * came.
 */
export const replyDue = ({ isNew, ...reply }: Parameters<typeof dueOf>[0] & { isNew: boolean }): Due | null =>
  !isNew && reply.answeredAt === null ? null : dueOf(reply);

/**
 * For visitors, who may live elsewhere, with the zone. Seconds are left out, so that it is never later than the
 * promise.
 */
export function targetTime(zone: string, at: Instant): string {
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
