import { fold } from "~/lib/text";
import { dayAfter, dayIn, type Instant, isDay, startOfDay } from "~/lib/time";
import { type SubmissionStatus, statusFilter } from "../model";

/** Lists beside the ordinary one: what was set aside, what is mine, what should be taken up again by now. */
export const LIST_VIEWS = ["held", "mine", "follow_up"] as const;
export type ListView = (typeof LIST_VIEWS)[number];

/**
 * The orders of the list; ids, which rise with time, decide between equal names. By name and by status only the whole
 * list can be had: a narrowed one would have to be read to its end first.
 */
export const LIST_SORTS = ["newest", "oldest", "name", "name_desc", "status", "status_desc"] as const;
export type ListSort = (typeof LIST_SORTS)[number];

/** What the address of the list says. */
export type ListFilter = {
  view: ListView | null;
  status: SubmissionStatus | null;
  /** As typed. */
  q: string;
  /** The last seven days; dates chosen by hand take its place. */
  recent: boolean;
  /** Calendar days in the site's time zone, both inclusive. */
  from: string | null;
  to: string | null;
  sort: ListSort;
};

export const SEARCH_MAX = 200;
const RECENT_DAYS = 7;
const CONTROL = /\p{Cc}+/gu;

/** Reads an address; anything malformed narrows nothing. */
export function listFilter(params: URLSearchParams): ListFilter {
  const day = (name: string) => {
    const text = params.get(name) ?? "";
    return isDay(text) ? text : null;
  };
  const from = day("from");
  const to = day("to");
  const q = [...(params.get("q") ?? "").replace(CONTROL, " ").trim()].slice(0, SEARCH_MAX).join("");
  const filter = {
    view: LIST_VIEWS.find((view) => view === params.get("view")) ?? null,
    status: statusFilter(params.get("status")),
    q,
    recent: params.get("filter") === "recent" && !from && !to,
    from,
    to,
  };
  const sort = LIST_SORTS.find((order) => order === params.get("sort")) ?? "newest";
  return { ...filter, sort: offersSort(filter, sort) ? sort : "newest" };
}

/** Whether the rows of a filter can be had in an order. */
export const offersSort = (filter: Omit<ListFilter, "sort">, sort: ListSort): boolean =>
  sort === "newest" || sort === "oldest" || !isNarrowed(filter);

/** Writes the query string of a list, without "?" and always in the same order; empty for the whole list. */
export function listQuery(filter: ListFilter, extra: Record<string, string | null> = {}): string {
  const entries: Record<string, string | null> = {
    view: filter.view,
    status: filter.status,
    q: filter.q || null,
    filter: filter.recent ? "recent" : null,
    from: filter.from,
    to: filter.to,
    sort: filter.sort === "newest" ? null : filter.sort,
    ...extra,
  };
  const present = Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(present).toString();
}

/** The address of the list with this filter. */
export function listPath(filter: ListFilter, extra: Record<string, string | null> = {}): string {
  const query = listQuery(filter, extra);
  return query ? `/admin/submissions?${query}` : "/admin/submissions";
}

/** The file of what an address of the list shows: the rows it names one by one, or those of its filter. */
export function exportPath(params: URLSearchParams): string {
  const ids = params.get("ids");
  const query = ids === null ? listQuery(listFilter(params)) : new URLSearchParams({ ids }).toString();
  return query ? `/admin/exports/submissions.csv?${query}` : "/admin/exports/submissions.csv";
}

export const hasDates = (filter: Omit<ListFilter, "sort">): boolean =>
  filter.recent || filter.from !== null || filter.to !== null;

/** Whether there is anything to clear. */
export const isNarrowed = (filter: Omit<ListFilter, "sort">): boolean =>
  filter.view !== null || filter.status !== null || filter.q !== "" || hasDates(filter);

/** The dates contradict each other: nothing can match. */
export const isBackwards = ({ from, to }: ListFilter): boolean => from !== null && to !== null && from > to;

/** What the rows must have in common, in the terms of the database. */
export type SubmissionScope = {
  held?: boolean;
  status?: SubmissionStatus | null;
  ownerId?: string;
  /** Still open and to be taken up again on this day or earlier. */
  followUpBy?: string;
  /** Inclusive. */
  from?: Instant;
  /** Exclusive. */
  until?: Instant;
  /** The days `from` and `until` stand for, both inclusive: what came on them is counted already. `from` null: ever. */
  days?: { from: string | null; to: string };
  /** Folded. */
  search?: string;
  sort?: ListSort;
  /** Leaves out what has come or changed since. */
  unchangedSince?: Instant;
};

type Reader = { zone: string; now: Instant; userId: string };

/** Turns what the address says into what the database is asked, for one reader at one moment. */
export function scopeOf(filter: ListFilter, { zone, now, userId }: Reader): SubmissionScope {
  const today = dayIn(zone, now);
  const from = filter.recent ? dayAfter(today, 1 - RECENT_DAYS) : filter.from;
  const to = filter.recent ? today : filter.to;
  const search = fold(filter.q);
  return {
    held: filter.view === "held",
    status: filter.status,
    ...(filter.view === "mine" ? { ownerId: userId } : {}),
    ...(filter.view === "follow_up" ? { followUpBy: today } : {}),
    ...(from ? { from: startOfDay(zone, from) } : {}),
    ...(to ? { until: startOfDay(zone, dayAfter(to, 1)) } : {}),
    ...(from || to ? { days: { from, to: to ?? today } } : {}),
    ...(search ? { search } : {}),
    sort: filter.sort,
  };
}
