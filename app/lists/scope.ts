import { fold } from "~/lib/text";
import { dayAfter, dayIn, type Instant, startOfDay } from "~/lib/time";

/** Who reads a list, when, and in which time zone days are meant. */
export type ListReader = { zone: string; now: Instant; userId: string };

/** What all rows of a filter have in common, in the terms of the database. Each list adds what it alone knows. */
export type ListScope<Sort extends string = string> = {
  /** Folded. */
  search?: string;
  /** Inclusive. */
  from?: Instant;
  /** Exclusive. */
  until?: Instant;
  /** The days `from` and `until` stand for, both inclusive. `from` null: ever. */
  days?: { from: string | null; to: string };
  sort?: Sort;
  /** Leaves out what has come or changed since. */
  unchangedSince?: Instant;
  /** Rows named one by one, in place of any filter. */
  picked?: readonly string[];
};

type CommonFilter<Sort> = { q: string; from?: string | null; to?: string | null; sort: Sort };

/** Turns the fields that every list has into its scope: the search folded, days as moments of the site's zone. */
export function commonScope<Sort extends string>(
  { q, from = null, to = null, sort }: CommonFilter<Sort>,
  { zone, now }: ListReader,
): ListScope<Sort> {
  const search = fold(q);
  return {
    ...(from ? { from: startOfDay(zone, from) } : {}),
    ...(to ? { until: startOfDay(zone, dayAfter(to, 1)) } : {}),
    ...(from || to ? { days: { from, to: to ?? dayIn(zone, now) } } : {}),
    ...(search ? { search } : {}),
    sort,
  };
}

/** The index of trigrams knows every three letters in a row; shorter terms need an index of their own. */
const SHORTEST_INDEXED = 3;

/** Whether a folded term has only one or two letters. */
export const isShort = (search: string): boolean => [...search].length < SHORTEST_INDEXED;

/** The last days up to today, as two days of the calendar. */
export function lastDays(count: number, { zone, now }: ListReader): { from: string; to: string } {
  const to = dayIn(zone, now);
  return { from: dayAfter(to, 1 - count), to };
}

/** The dates contradict each other: nothing can match. */
export const isBackwards = ({ from, to }: { from: string | null; to: string | null }): boolean =>
  from !== null && to !== null && from > to;
