import { fold } from "~/lib/text";
import { dayAfter, dayIn, type Instant, startOfDay } from "~/lib/time";

/** Tells who reads a list, when, and in which time zone days are meant. */
export type ListReader = { zone: string; now: Instant; userId: string };

/** Holds what all rows of a filter have in common, in the terms of the database. Each list adds what it alone knows. */
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
  /** Rows named one by one, instead of any filter. */
  selectedIds?: readonly string[];
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

/** Tells how many letters a term needs for the trigram index; shorter terms need an index of their own. */
const SHORTEST_INDEXED = 3;

/** Tells whether a folded term has only one or two letters. */
export const isShort = (search: string): boolean => [...search].length < SHORTEST_INDEXED;

/** Returns the last days up to today, as two days of the calendar. */
export function lastDays(count: number, { zone, now }: ListReader): { from: string; to: string } {
  const to = dayIn(zone, now);
  return { from: dayAfter(to, 1 - count), to };
}

/** Tells whether the dates contradict each other, so that nothing can match. */
export const isBackwards = ({ from, to }: { from: string | null; to: string | null }): boolean =>
  from !== null && to !== null && from > to;
