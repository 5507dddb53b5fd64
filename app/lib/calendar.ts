import { addDays, clockIn, type Duration, dayIn, days, type Instant, minutes, weekdayOf, zonedInstant } from "./time";

/** Holds open time within a day, in minutes since midnight: 480 to 1,080 is from 8 am to 6 pm. */
export type Frame = { opens: number; closes: number };

/** Holds a day off: once ("2026-11-27"), or each year ("12-25"). */
export type Holiday = { day: string; name: string };

export type Calendar = {
  zone: string;
  /** A night is two frames, until 1,440 and from 0. */
  week: readonly (readonly Frame[])[];
  holidays: readonly Holiday[];
};

/** Limits how far ahead open time is looked for, so that the search ends even if there is none. */
const HORIZON = days(400);

export const holidayOn = ({ holidays }: Calendar, day: string): Holiday | null =>
  holidays.find((holiday) => holiday.day === day || holiday.day === day.slice(5)) ?? null;

const framesOn = (calendar: Calendar, day: string): readonly Frame[] =>
  holidayOn(calendar, day) ? [] : (calendar.week[weekdayOf(day)] ?? []);

type OpenDay = { intervals: readonly { start: Instant; end: Instant }[]; next: string };

const knownDays = new WeakMap<Calendar, Map<string, OpenDay>>();

const KNOWN_DAYS_MAX = 1_000;

/** Cached: the rows of a list ask for the same few days. */
function openDay(calendar: Calendar, day: string): OpenDay {
  const known = knownDays.get(calendar) ?? new Map<string, OpenDay>();
  knownDays.set(calendar, known);
  const before = known.get(day);
  if (before) return before;
  const at = (minute: number) => zonedInstant(calendar.zone, day, minutes(minute));
  const intervals = framesOn(calendar, day)
    .map(({ opens, closes }) => ({ start: at(opens), end: at(closes) }))
    // Of a frame that begins in the hour that the clocks leave out, the end may be the earlier one.
    .filter(({ start, end }) => start < end);
  const found = { intervals, next: addDays(day, 1) };
  if (known.size >= KNOWN_DAYS_MAX) known.clear();
  known.set(day, found);
  return found;
}

function* openIntervals(calendar: Calendar, from: Instant, until: Instant = from + HORIZON) {
  let day = dayIn(calendar.zone, from);
  const lastDay = dayIn(calendar.zone, until);
  while (day <= lastDay) {
    const { intervals, next } = openDay(calendar, day);
    for (const { start, end } of intervals)
      if (from < end && start < until) yield { start: Math.max(from, start), end: Math.min(until, end) };
    day = next;
  }
}

export function openTimeBetween(calendar: Calendar, from: Instant, to: Instant): Duration {
  let time = 0;
  for (const { start, end } of openIntervals(calendar, from, to)) time += end - start;
  return time;
}

/** For many at once: each day is looked at once, however many of them it lies between. */
export function openTimeMeter(calendar: Calendar, from: Instant, until: Instant): (at: Instant) => Duration {
  let sum = 0;
  const measured = [...openIntervals(calendar, from, until)].map(({ start, end }) => {
    const before = sum;
    sum += end - start;
    return { start, end, before };
  });
  return (at) => {
    let [low, high] = [0, measured.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((measured[middle]?.start ?? at) < at) low = middle + 1;
      else high = middle;
    }
    const last = measured[low - 1];
    return last ? last.before + Math.min(at, last.end) - last.start : 0;
  };
}

export function afterOpenTime(calendar: Calendar, from: Instant, time: Duration): Instant {
  let left = time;
  let last = from;
  for (const { start, end } of openIntervals(calendar, from)) {
    last = Math.min(end, start + left);
    left -= last - start;
    if (left <= 0) break;
  }
  return last;
}

/** Returns an instant itself if it is in open time, otherwise the next opening. The minute of closing is closed. */
export function nextOpening(calendar: Calendar, at: Instant): Instant {
  for (const { start } of openIntervals(calendar, at)) return start;
  return at;
}

export const isOpen = (calendar: Calendar, at: Instant): boolean => nextOpening(calendar, at) === at;

export function afterWorkingDays(calendar: Calendar, from: Instant, count: number): Instant {
  const { zone } = calendar;
  const [hour = 0, minute = 0] = clockIn(zone, from).split(":").map(Number);
  const sinceMidnight = minutes(hour * 60 + minute) + (from % minutes(1));
  let day = dayIn(zone, from);
  const lastDay = dayIn(zone, from + HORIZON);
  for (let left = count; left > 0 && day < lastDay; ) {
    day = addDays(day, 1);
    if (framesOn(calendar, day).length > 0) left -= 1;
  }
  return zonedInstant(zone, day, sinceMidnight);
}

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];

/** Formats minutes since midnight: "8am", "5:30pm". */
function clockInWords(minute: number): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, "0")}` : ""}${hour % 24 < 12 ? "am" : "pm"}`;
}

const framesInWords = (frames: readonly Frame[]): string =>
  frames.map(({ opens, closes }) => `${clockInWords(opens)}-${clockInWords(closes)}`).join(" and ");

/** Formats the hours of a week: "Monday-Friday 8am-6pm, Saturday 9am-12pm". */
export function weekInWords(week: Calendar["week"]): string {
  const spans: { first: number; last: number; hours: string }[] = [];
  for (const weekday of FROM_MONDAY) {
    const hours = framesInWords(week[weekday] ?? []);
    const before = spans.at(-1);
    if (before?.hours === hours) before.last = weekday;
    else spans.push({ first: weekday, last: weekday, hours });
  }
  return spans
    .filter(({ hours }) => hours !== "")
    .map(({ first, last, hours }) =>
      first === last ? `${WEEKDAYS[first]} ${hours}` : `${WEEKDAYS[first]}-${WEEKDAYS[last]} ${hours}`,
    )
    .join(", ");
}

export type OpeningHours = {
  workingDays: readonly number[];
  /** Full hours, in the site's time zone. */
  opens: number;
  closes: number;
};

export function openingHoursInWords({ workingDays, opens, closes }: OpeningHours): string {
  const first = WEEKDAYS[workingDays[0] ?? 0];
  const last = WEEKDAYS[workingDays.at(-1) ?? 0];
  return `${first === last ? first : `${first}-${last}`} ${hourInWords(opens)}-${hourInWords(closes)}`;
}

const hourInWords = (hour: number) => `${hour % 12 || 12}${hour % 24 < 12 ? "am" : "pm"}`;

let lastKey = "";
let lastCalendar: Calendar = { zone: "UTC", week: [], holidays: [] };

export function calendarOf({ zone, openingHours }: { zone: string; openingHours: OpeningHours }): Calendar {
  const { workingDays, opens, closes } = openingHours;
  const key = `${zone} ${workingDays.join()} ${opens} ${closes}`;
  if (key === lastKey) return lastCalendar;
  const frames = [{ opens: opens * 60, closes: closes * 60 }];
  const week = WEEKDAYS.map((_, weekday) => (workingDays.includes(weekday) ? frames : []));
  lastKey = key;
  lastCalendar = { zone, week, holidays: [] };
  return lastCalendar;
}
