/**
 * Tells how many rows match a filter: exactly wherever counts are kept or few match. Where counting further would cost
 * more with every row that is stored there are certainly more; where a search stopped there are possibly more.
 */
export type MatchCount = { count: number; more: false | "certainly" | "possibly" };

const MORE = { certainly: "more than ", possibly: "at least " };

/** Returns a count as people read it: "137", "1,204", "more than 150", "at least 10". */
export const countInWords = ({ count, more }: MatchCount): string =>
  `${more ? MORE[more] : ""}${count.toLocaleString("en-US")}`;

/** Returns the caption of the rows: "Showing 25 of 1,204 submissions". */
export const showing = (rows: number, total: MatchCount, { many }: { many: string }): string =>
  `Showing ${rows.toLocaleString("en-US")} of ${countInWords(total)} ${many}`;
