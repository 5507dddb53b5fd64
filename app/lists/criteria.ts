import type { Actor } from "~/access/model";
import { fold } from "~/lib/text";
import { addDays, dayIn, type Instant, startOfDay } from "~/lib/time";

export type ListViewer = {
  actor: Actor;
  zone: string;
  now: Instant;
  /** What files call the values of their rows, where the settings say it. */
  names?: Names;
};

export type Names = Readonly<Record<string, string>>;

export type ListCriteria<Sort extends string = string> = {
  search?: string;
  from?: Instant;
  until?: Instant;
  days?: { from: string | null; to: string };
  sort?: Sort;
  unchangedSince?: Instant;
  selectedIds?: readonly string[];
};

type CommonFilter<Sort> = { q: string; from?: string | null; to?: string | null; sort: Sort };

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

const TRIGRAM_LENGTH = 3;

export const RECENT_LIMIT = 5_000;

export const isShort = (search: string): boolean => [...search].length < TRIGRAM_LENGTH;

export function lastDays(count: number, { zone, now }: ListViewer): { from: string; to: string } {
  const to = dayIn(zone, now);
  return { from: addDays(to, 1 - count), to };
}

export const areDatesReversed = ({ from, to }: { from?: string | null; to?: string | null }): boolean =>
  Boolean(from && to && from > to);
