import { addDays, days, isDay } from "~/lib/time";
import { DEFAULT_RANGE, RANGES, type Range } from "./definitions";

/** Holds the first and the last day of a period, `YYYY-MM-DD`. */
export type Days = { from: string; to: string };

/** Sets how long a period may be at most, in days: ten years. */
const LONGEST = 3_660;

/** Says what is wrong with a period that somebody asked for. */
export const PERIOD_PROBLEMS = {
  missing: "Choose both dates",
  unreadable: "Choose dates that exist, such as 2026-11-18.",
  reversed: "The first day is after the last one. Swap them.",
  future: "The period ends in the future. Choose a last day up to today.",
  too_long: "The period is longer than ten years. Choose a shorter one.",
} as const;

export type PeriodProblem = keyof typeof PERIOD_PROBLEMS;

type ParsedPeriod = { ok: true; value: Days } | { ok: false; problem: PeriodProblem };

/** Reads the days of a period from what somebody chose or wrote. `today` is the day in the site's time zone. */
export function parsePeriod(from: string | null, to: string | null, today: string): ParsedPeriod {
  const no = (problem: PeriodProblem): ParsedPeriod => ({ ok: false, problem });
  if (!from || !to) return no("missing");
  if (!isDay(from) || !isDay(to)) return no("unreadable");
  if (from > to) return no("reversed");
  if (to > today) return no("future");
  return lengthOf({ from, to }) > LONGEST ? no("too_long") : { ok: true, value: { from, to } };
}

const lengthOf = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / days(1) + 1;

/** Reads the range of the page. Null: there is no such range. */
export function parseRange(text: string | null): Range | null {
  if (text === null || text === "") return DEFAULT_RANGE;
  return RANGES.find((range) => String(range) === text) ?? null;
}

/** Returns the days of a range that ends today. */
export const daysOf = (range: Range, today: string): Days => ({ from: addDays(today, 1 - range), to: today });

/** Returns the months that trends show, the last of which is this one, up to today: six, or twelve of a year. */
export function trendMonths(range: Range, today: string): Days[] {
  const count = range === 365 ? 12 : 6;
  const months: Days[] = [];
  let to = today;
  for (let index = 0; index < count; index += 1) {
    const from = `${to.slice(0, 7)}-01`;
    months.unshift({ from, to });
    to = addDays(from, -1);
  }
  return months;
}
