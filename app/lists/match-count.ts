/**
 * Holds how many rows match a filter, and whether there are more. False: the count is exact. `certainly`: counting
 * stopped at the cap. `possibly`: the scan stopped. `older`: a short search left out rows older than those it looked
 * through.
 */
export type MatchCount = { count: number; more: false | "certainly" | "possibly" | "older" };

const PREFIX = { certainly: "more than ", possibly: "at least ", older: "at least " };

/** Formats a count as text: "137", "1,204", "more than 150", "at least 10". */
export const countInWords = ({ count, more }: MatchCount): string =>
  `${more ? PREFIX[more] : ""}${count.toLocaleString("en-US")}`;

/** Names the line with the caption, by which the rows are labelled. */
export const ROWS_CAPTION = "rows-caption";

/** Returns the caption of the rows: "Showing 25 of 1,204 submissions". */
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
