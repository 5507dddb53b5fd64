import type { Calendar } from "./calendar";
import { type Duration, hours } from "./time";

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

/** Holds what a promised time is counted by: the opening hours and the zone they are in. */
export type BusinessCalendar = {
  /** Time zone, an IANA name. */
  zone: string;
  openingHours: OpeningHours;
};

let lastKey = "";
let lastCalendar: Calendar = { zone: "UTC", week: [], holidays: [] };

/** Returns the calendar of opening hours, the same object for the same hours: what it knows of days is cached by it. */
export function calendarOf({ zone, openingHours }: BusinessCalendar): Calendar {
  const { workingDays, opens, closes } = openingHours;
  const key = `${zone} ${workingDays.join()} ${opens} ${closes}`;
  if (key === lastKey) return lastCalendar;
  const frames = [{ opens: opens * 60, closes: closes * 60 }];
  const week = WEEKDAYS.map((_, weekday) => (workingDays.includes(weekday) ? frames : []));
  lastKey = key;
  lastCalendar = { zone, week, holidays: [] };
  return lastCalendar;
}
