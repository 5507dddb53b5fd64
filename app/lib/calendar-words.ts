import type { Calendar, Frame } from "./calendar";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];

/** Formats minutes since midnight: "8am", "5:30pm". */
function clockInWords(minute: number): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, "0")}` : ""}${hour % 24 < 12 ? "am" : "pm"}`;
}

const framesInWords = (frames: readonly Frame[]): string =>
  frames.map(({ opens, closes }) => `${clockInWords(opens)}-${clockInWords(closes)}`).join(" and ");

/** Formats the hours of a week: "Monday-Friday 8am-6pm, Saturday 9am-12pm". */
export function weekInWords({ week }: Pick<Calendar, "week">): string {
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

/** Names the place of a time zone: "Chicago". */
export const placeOf = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
