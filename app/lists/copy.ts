import { BULK_LIMIT } from "./bulk";
import type { MatchCount } from "./match-count";

export const DATES_BACKWARDS = "The start date is after the end date";

/** Tells why a list whose search has no index of one and two letters finds nothing by them. */
export const SEARCH_TOO_SHORT = "A search needs at least three letters here.";

/** Tells that no row matches a filter. */
export const NO_MATCH = "Nothing matches these filters.";

/** Tells how far a search came that stopped before it had filled the page, and how to go on. */
export const scanStopped = (scanned: number, { many }: { many: string }, { on }: { on: string }): string =>
  `The search looked at ${scanned} ${many} and stopped. "${on}" searches on, to the end.`;

/** Tells what "all" means in a bulk action: it takes so many at most, and the rest is there for the next one. */
export function allMatching({ count, more }: MatchCount): string {
  if (more) return `all that match (the first ${BULK_LIMIT} at most)`;
  const matching = `all ${count.toLocaleString("en-US")} matching`;
  return count > BULK_LIMIT ? `${matching} (the first ${BULK_LIMIT})` : matching;
}
