import { clockTime, type Duration, dayAfter, dayIn, hours, type Instant } from "./time";

/** When somebody is there: the same hours on every working day of the week. */
export type OpeningHours = {
  /** Days of the week in their order, without a gap between them; 0 is Sunday. */
  workingDays: readonly number[];
  /** Full hours of the day, as the clocks of the site's zone show them. */
  opens: number;
  closes: number;
};

/** Returns as much open time as a working day has. */
export const workingDay = ({ opens, closes }: OpeningHours): Duration => hours(closes - opens);

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Writes opening hours in words: "Monday-Friday 8am-6pm". */
export function openingHoursInWords({ workingDays, opens, closes }: OpeningHours): string {
  const first = WEEKDAYS[workingDays[0] ?? 0];
  const last = WEEKDAYS[workingDays.at(-1) ?? 0];
  return `${first === last ? first : `${first}-${last}`} ${hourInWords(opens)}-${hourInWords(closes)}`;
}

const hourInWords = (hour: number) => `${hour % 12 || 12}${hour % 24 < 12 ? "am" : "pm"}`;

/** Nobody promises further ahead than this; it ends the search for open time that never comes. */
const MOST_DAYS = 400;

/** Yields the intervals of open time from an instant on, one a working day. */
function* openIntervals(zone: string, from: Instant, { opens, closes, workingDays }: OpeningHours) {
  let day = dayIn(zone, from);
  for (let count = 0; count < MOST_DAYS; count += 1, day = dayAfter(day, 1)) {
    if (!workingDays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    const start = Math.max(from, clockTime(zone, day, hours(opens)));
    const end = clockTime(zone, day, hours(closes));
    if (start < end) yield { start, end };
  }
}

type Office = { zone: string; openingHours: OpeningHours };

/** Returns the instant at which so much open time has passed since `from`. `zone` is an IANA name. */
export function afterOpenTime({ zone, openingHours }: Office, from: Instant, time: Duration): Instant {
  let left = time;
  let last = from;
  for (const { start, end } of openIntervals(zone, from, openingHours)) {
    last = Math.min(end, start + left);
    left -= last - start;
    if (left <= 0) break;
  }
  return last;
}

/** Returns the open time between two instants, 0 when `until` is not the later one. */
export function openTimeBetween({ zone, openingHours }: Office, from: Instant, until: Instant): Duration {
  let passed = 0;
  for (const { start, end } of openIntervals(zone, from, openingHours)) {
    if (start >= until) break;
    passed += Math.min(end, until) - start;
  }
  return passed;
}
