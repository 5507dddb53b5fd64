import { durationInWords, shortDay } from "~/lib/due";
import type { Duration } from "~/lib/time";
import { NO_NUMBER } from "./definitions";
import { percentOf, type Share } from "./model";
import type { Days } from "./period";

/** Writes how long something took; without a time it is a dash. */
export const timeInWords = (time: Duration | null): string => (time === null ? NO_NUMBER : durationInWords(time));

/** Writes a share as a percentage, "3 of 4" where there are too few cases for one, or a dash where there are none. */
export function shareInWords(share: Share): string {
  if (share.n === 0) return NO_NUMBER;
  const percent = percentOf(share);
  return percent === null ? partInWords(share) : `${percent}%`;
}

/** Writes the cases of a share: "59 of 63". */
export const partInWords = ({ part, n }: Share): string => `${inWords(part)} of ${inWords(n)}`;

/** Writes a count with its separators: "1,204". */
export const inWords = (count: number): string => count.toLocaleString("en-US");

/** Writes a number with its noun: "1 ticket", "63 tickets". */
export const counted = (count: number, noun: string): string => `${inWords(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Writes the days of a period: "Oct 21 to Nov 20, 2026", or with both years. */
export function daysInWords({ from, to }: Days): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  const end = `${shortDay(to)}, ${last}`;
  if (from === to) return end;
  return first === last ? `${shortDay(from)} to ${end}` : `${shortDay(from)}, ${first} to ${end}`;
}

/** Writes a month: "Jun", of another year than the last one "Dec 2025", and of one that is not over "Nov 1–20". */
export function monthInWords({ from, to }: Days, { to: today }: Days): string {
  const month = shortDay(from).slice(0, 3);
  if (to === today) return from === to ? `${month} 1` : `${month} 1–${Number(to.slice(8))}`;
  return from.slice(0, 4) === today.slice(0, 4) ? month : `${month} ${from.slice(0, 4)}`;
}

/** Returns the place that a time zone is named after: "America/New_York" → "New York". */
export const placeOf = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
