import type { Calendar, Frame } from "./calendar";

export type OpeningHours = {
  workingDays: readonly number[];
  /** Full hours, in the site's time zone. */
  opens: number;
  closes: number;
};

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export function openingHoursInWords({ workingDays, opens, closes }: OpeningHours): string {
  const first = WEEKDAYS[workingDays[0] ?? 0];
  const last = WEEKDAYS[workingDays.at(-1) ?? 0];
  return `${first === last ? first : `${first}-${last}`} ${hourInWords(opens)}-${hourInWords(closes)}`;
}

/** Formats the hours of a week, from Monday on: "Monday-Friday 8am-6pm, Saturday 9am-12:30pm". */
export function weekInWords(week: Calendar["week"]): string {
  const groups: { first: number; last: number; words: string }[] = [];
  for (const day of [1, 2, 3, 4, 5, 6, 0]) {
    const words = (week[day] ?? []).map(frameInWords).join(" and ");
    const latest = groups.at(-1);
    if (latest?.words === words) latest.last = day;
    else groups.push({ first: day, last: day, words });
  }
  return groups
    .filter(({ words }) => words !== "")
    .map(({ first, last, words }) => `${first === last ? "" : `${WEEKDAYS[first]}-`}${WEEKDAYS[last]} ${words}`)
    .join(", ");
}

const frameInWords = ({ opens, closes }: Frame) => `${minuteInWords(opens)}-${minuteInWords(closes)}`;

const minuteInWords = (minute: number) => {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  const minutes = rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`;
  return `${hour % 12 || 12}${minutes}${hour % 24 < 12 ? "am" : "pm"}`;
};

const hourInWords = (hour: number) => `${hour % 12 || 12}${hour % 24 < 12 ? "am" : "pm"}`;

type BusinessCalendar = {
  zone: string;
  openingHours: OpeningHours;
};

let lastKey = "";
let lastCalendar: Calendar = { zone: "UTC", week: [], holidays: [] };

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
