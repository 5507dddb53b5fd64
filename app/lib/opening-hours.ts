import { type Calendar, WEEKDAYS } from "./calendar";

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
