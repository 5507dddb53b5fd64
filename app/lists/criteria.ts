import type { Actor } from "~/access/model";
import { fold } from "~/lib/text";
import { addDays, dayIn, type Instant, startOfDay } from "~/lib/time";

/** Describes who opens a list, when, and the time zone of its days. */
export type ListViewer = { actor: Actor; zone: string; now: Instant };

/** Holds the query criteria of a filter, as the database needs them. Each list adds its own. */
export type ListCriteria<Sort extends string = string> = {
  /** Holds the search term, folded. */
  search?: string;
  /** Holds the first instant of the range, inclusive. */
  from?: Instant;
  /** Holds the end of the range, exclusive. */
  until?: Instant;
  /** Holds the days that `from` and `until` stand for, both inclusive. `from` null: without a first day. */
  days?: { from: string | null; to: string };
  sort?: Sort;
  /** Leaves out rows that were created or changed after this instant. */
  unchangedSince?: Instant;
  /** Holds the ids of selected rows, which replace the filter. */
  selectedIds?: readonly string[];
};

type CommonFilter<Sort> = { q: string; from?: string | null; to?: string | null; sort: Sort };

/** Turns the fields that every list has into criteria: the search term folded, days as instants of the site's zone. */
export function commonCriteria<Sort extends string>(
  { q, from = null, to = null, sort }: CommonFilter<Sort>,
  { zone, now }: ListViewer,
): ListCriteria<Sort> {
  const search = fold(q);
  return {
    ...(from ? { from: startOfDay(zone, from) } : {}),
    ...(to ? { until: startOfDay(zone, addDays(to, 1)) } : {}),
    ...(from || to ? { days: { from, to: to ?? dayIn(zone, now) } } : {}),
    ...(search ? { search } : {}),
    sort,
  };
}

/** Sets how many characters a term needs for the trigram index; a shorter one is looked for in the newest rows. */
const TRIGRAM_LENGTH = 3;

/** Limits how many rows are looked through for a shorter term. */
export const RECENT_LIMIT = 5_000;

/** Tells whether a folded term has only one or two characters. */
export const isShort = (search: string): boolean => [...search].length < TRIGRAM_LENGTH;

/** Returns the first and the last of the latest days up to today, as days of the calendar. */
export function lastDays(count: number, { zone, now }: ListViewer): { from: string; to: string } {
  const to = dayIn(zone, now);
  return { from: addDays(to, 1 - count), to };
}

/** Tells whether the first day is after the last, so that nothing can match. */
export const areDatesReversed = ({ from, to }: { from?: string | null; to?: string | null }): boolean =>
  Boolean(from && to && from > to);
