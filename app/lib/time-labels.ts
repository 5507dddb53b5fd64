import { clockIn, type Duration, dayIn, days, hours, type Instant, minutes, weekdayOf } from "./time";

export type Due = { state: "late" | "today" | "later" | "kept" | "missed"; time: string; dueAt: Instant };

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns a calendar day as people say it in passing: "Nov 24". */
export const shortDay = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;

/** "Nov 20, 14:01". */
export const shortMoment = (zone: string, at: Instant): string => `${shortDay(dayIn(zone, at))}, ${clockIn(zone, at)}`;

export const shortWeekday = (day: string): string => WEEKDAYS[weekdayOf(day)] ?? "";

const NO_BREAK = "\u00a0";

/** Returns "45 min", "3 h 20 min", "2 d 4 h" or "under a minute", rounded down, with spaces that do not break. */
export function durationInWords(time: Duration): string {
  const inDays = Math.floor(time / days(1));
  const inHours = Math.floor((time % days(1)) / hours(1));
  const inMinutes = Math.floor((time % hours(1)) / minutes(1));
  const part = (count: number, unit: string) => (count > 0 ? [`${count}${NO_BREAK}${unit}`] : []);
  const parts =
    inDays > 0 ? [...part(inDays, "d"), ...part(inHours, "h")] : [...part(inHours, "h"), ...part(inMinutes, "min")];
  return parts.join(" ") || "under a minute";
}

type Promised = {
  zone: string;
  now: Instant;
  dueAt: Instant;
  answeredAt: Instant | null;
};

/** Delay and time left are what a clock on the wall shows, because that is how long people wait. */
export function dueOf({ zone, now, dueAt, answeredAt }: Promised): Due {
  if (answeredAt !== null && answeredAt <= dueAt)
    return { state: "kept", time: momentInWords(answeredAt, now, zone), dueAt };
  if (answeredAt !== null) return { state: "missed", time: durationInWords(answeredAt - dueAt), dueAt };
  if (now > dueAt) return { state: "late", time: durationInWords(now - dueAt), dueAt };
  if (dayIn(zone, dueAt) === dayIn(zone, now)) return { state: "today", time: durationInWords(dueAt - now), dueAt };
  return { state: "later", time: momentInWords(dueAt, now, zone), dueAt };
}

/** Returns a moment before or after now: "09:53" today, "Mon 09:53", or "Nov 24 09:53" six days away or more. */
export function momentInWords(at: Instant, now: Instant, zone: string): string {
  const [day, time] = [dayIn(zone, at), clockIn(zone, at)];
  if (day === dayIn(zone, now)) return time;
  // Within six days a weekday names one day only.
  return `${Math.abs(at - now) < days(6) ? shortWeekday(day) : shortDay(day)} ${time}`;
}

/** Returns the words for it: "late by 35 min", "due in 1 h 12 min", "due Mon 09:53", "answered Mon 08:01". */
export function dueInWords({ state, time }: Due): string {
  switch (state) {
    case "late":
      return `late by ${time}`;
    case "today":
      return `due in ${time}`;
    case "later":
      return `due ${time}`;
    case "kept":
      return `answered ${time}`;
    case "missed":
      return `answered ${time} late`;
  }
}

/** "Nov 10–20, 2026", "Nov 30 – Dec 2, 2026", "from Nov 10, 2026". */
export function daysInWords({ from, to }: { from: string | null; to: string | null }): string | null {
  if (from === null) return to === null ? null : `until ${long(to)}`;
  if (to === null) return `from ${long(from)}`;
  if (from === to) return long(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${long(from)} – ${long(to)}`;
  if (from.slice(0, 7) !== to.slice(0, 7)) return `${shortDay(from)} – ${long(to)}`;
  return `${shortDay(from)}–${long(to).slice(4)}`;
}

const long = (day: string) => `${shortDay(day)}, ${day.slice(0, 4)}`;

const SENT_SHOWN = minutes(1);

type Written = { id: string; at: Instant; isOwn?: boolean };

export const justSent = (conversation: readonly Written[], now: Instant): string | null =>
  conversation.findLast(({ isOwn, at }) => isOwn && at > now - SENT_SHOWN)?.id ?? null;
