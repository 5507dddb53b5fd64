import { clockTime, type Duration, dayAfter, dayIn, hours, type Instant } from "./time";

/** When somebody is there: the same hours on every working day, as times since midnight. */
export type OpenHours = { opens: Duration; closes: Duration; isWorkingDay: (day: string) => boolean };

const isWeekday = (day: string): boolean => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** Monday to Friday, eight to six. */
export const OFFICE_HOURS: OpenHours = { opens: hours(8), closes: hours(18), isWorkingDay: isWeekday };

/** As much open time as a working day has. */
export const workingDay = ({ opens, closes }: OpenHours): Duration => closes - opens;

/** Nobody promises further ahead than this; it ends the search for open time that never comes. */
const MOST_DAYS = 400;

/** The stretches of open time from an instant on, one a working day. */
function* openStretches(zone: string, from: Instant, { opens, closes, isWorkingDay }: OpenHours) {
  let day = dayIn(zone, from);
  for (let count = 0; count < MOST_DAYS; count += 1, day = dayAfter(day, 1)) {
    if (!isWorkingDay(day)) continue;
    const start = Math.max(from, clockTime(zone, day, opens));
    const end = clockTime(zone, day, closes);
    if (start < end) yield { start, end };
  }
}

/** The instant at which so much open time has passed since `from`, in the open hours of a zone (IANA name). */
export function afterOpenTime(zone: string, from: Instant, time: Duration, open: OpenHours = OFFICE_HOURS): Instant {
  let left = time;
  let last = from;
  for (const { start, end } of openStretches(zone, from, open)) {
    last = Math.min(end, start + left);
    left -= last - start;
    if (left <= 0) break;
  }
  return last;
}

/** The open time between two instants; none when `until` is not the later one. */
export function openTimeBetween(zone: string, from: Instant, until: Instant, open: OpenHours = OFFICE_HOURS): Duration {
  let passed = 0;
  for (const { start, end } of openStretches(zone, from, open)) {
    if (start >= until) break;
    passed += Math.min(end, until) - start;
  }
  return passed;
}
