import { addDays, type Duration, dayIn, hours, type Instant, weekdayOf, zonedInstant } from "./time";

/** Describes opening hours: the same on every working day of the week. */
export type OpeningHours = {
  /** Consecutive days of the week in ascending order; 0 is Sunday. */
  workingDays: readonly number[];
  /** Full hours of the day, in the site's time zone. */
  opens: number;
  closes: number;
};

/** Returns the open time of one working day. */
export const workingDayLength = ({ opens, closes }: OpeningHours): Duration => hours(closes - opens);

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Formats opening hours: "Monday-Friday 8am-6pm". */
export function openingHoursInWords({ workingDays, opens, closes }: OpeningHours): string {
  const first = WEEKDAYS[workingDays[0] ?? 0];
  const last = WEEKDAYS[workingDays.at(-1) ?? 0];
  return `${first === last ? first : `${first}-${last}`} ${hourInWords(opens)}-${hourInWords(closes)}`;
}

const hourInWords = (hour: number) => `${hour % 12 || 12}${hour % 24 < 12 ? "am" : "pm"}`;

/** Limits how many days the search looks ahead, so that it ends even if there is no open time. */
const MAX_DAYS = 400;

type Interval = { start: Instant; end: Instant };

/** Holds when a day is open, null for a day off, and the day after it. */
type OpenDay = { interval: Interval | null; next: string };

const openDays = new Map<string, OpenDay>();

/** Exceeds the days that the lists of a day ask for; when it is reached, the cache begins anew. */
const OPEN_DAYS_MAX = 1_000;

/**
 * Returns when a day is open. Cached: the rows of a list ask for the same few days, and local times are slow to find.
 * `hoursKey` stands for zone and opening hours.
 */
function openDay(zone: string, day: string, openingHours: OpeningHours, hoursKey: string): OpenDay {
  const key = `${day} ${hoursKey}`;
  const known = openDays.get(key);
  if (known) return known;
  const { workingDays, opens, closes } = openingHours;
  const interval = workingDays.includes(weekdayOf(day))
    ? { start: zonedInstant(zone, day, hours(opens)), end: zonedInstant(zone, day, hours(closes)) }
    : null;
  const found = { interval, next: addDays(day, 1) };
  if (openDays.size >= OPEN_DAYS_MAX) openDays.clear();
  openDays.set(key, found);
  return found;
}

/** Yields the intervals of open time after an instant, one per working day. */
function* openIntervals(zone: string, from: Instant, openingHours: OpeningHours) {
  const { workingDays, opens, closes } = openingHours;
  const hoursKey = `${zone} ${workingDays.join()} ${opens} ${closes}`;
  let day = dayIn(zone, from);
  for (let count = 0; count < MAX_DAYS; count += 1) {
    const { interval, next } = openDay(zone, day, openingHours, hoursKey);
    if (interval && from < interval.end) yield { start: Math.max(from, interval.start), end: interval.end };
    day = next;
  }
}

/** Holds what a promised time is counted by: the opening hours and the zone they are in. */
export type BusinessCalendar = {
  /** Time zone, an IANA name. */
  zone: string;
  openingHours: OpeningHours;
};

/** Returns the instant at which that much open time has passed since `from`. */
export function afterOpenTime({ zone, openingHours }: BusinessCalendar, from: Instant, time: Duration): Instant {
  let left = time;
  let last = from;
  for (const { start, end } of openIntervals(zone, from, openingHours)) {
    last = Math.min(end, start + left);
    left -= last - start;
    if (left <= 0) break;
  }
  return last;
}
