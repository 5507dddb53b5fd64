import type { Instant } from "~/lib/time";

/** `certainly`: stopped at the cap. `possibly`: the scan stopped. `older`: a short search left out older rows. */
export type MatchCount = { count: number; more: false | "certainly" | "possibly" | "older" };

const PREFIX = { certainly: "more than ", possibly: "at least ", older: "at least " };

/** Formats a count as text: "137", "1,204", "more than 50", "at least 10". */
export const countInWords = ({ count, more }: MatchCount): string =>
  `${more ? PREFIX[more] : ""}${count.toLocaleString("en-US")}`;

export const ROWS_CAPTION = "rows-caption";

export const showingText = (rows: number, total: MatchCount, { many }: { many: string }): string =>
  `Showing ${rows.toLocaleString("en-US")} of ${countInWords(total)} ${many}`;

type Noun = { one: string; many: string };

/** Returns what is in a file of a list, "1,204 submissions": the rows that were ticked, or else all that match. */
export function fileContent(file: string, total: MatchCount | undefined, { one, many }: Noun): string {
  const ids = new URLSearchParams(file.split("?")[1]).get("ids")?.split(",").length;
  const found: MatchCount | undefined = ids ? { count: ids, more: false } : total;
  if (!found) return many;
  return `${countInWords(found)} ${found.count === 1 && !found.more ? one : many}`;
}

export type RowPage<Row> = { rows: Row[]; previous: string | null; next: string | null };

export type ListedRows<Row> = RowPage<Row> & {
  scanned: number | null;
};

export type ListRead<View> = { page: ListedRows<View>; total: MatchCount; zone: string; readAt: Instant };

/** What the loader of a list page gives it; without a list, why there is none. */
export type LoadedList<Filter, Read> = {
  filter: Filter;
  list: Read | null;
  isLimited: boolean;
  problem: string;
  size: PageSize;
  file: { to: string; content: string } | null;
};

export const BULK_LIMIT = 500;

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export const sizeParam = (size: PageSize): string | null => (size === PAGE_SIZES[0] ? null : String(size));

export const sizeLinks = (current: PageSize, pathTo: (size: string | null) => string) =>
  PAGE_SIZES.map((size) => ({ size, to: pathTo(sizeParam(size)), current: size === current }));
