import { plural } from "~/lib/text";

/** Formats a count that ended at a limit: "12 tickets", "more than 1,000 tickets". */
export const countText = (count: number, { max, one, many }: { max: number; one: string; many?: string }): string =>
  count < max ? plural(count, one, many) : `at least ${plural(max, one, many)}`;
