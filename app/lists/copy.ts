import { BULK_LIMIT } from "./bulk";
import { RECENT_LIMIT } from "./criteria";
import type { MatchCount } from "./match-count";

/** Takes the place of the rows when somebody searches faster than people do. */
export const TOO_MANY_SEARCHES = "You have searched more than 120 times in a minute. Wait a moment, then try again.";

export const DATES_BACKWARDS = "The start date is after the end date";

/** Tells that a search of one or two characters has left older rows out. */
export const onlyNewest = ({ many }: { many: string }): string =>
  `One or two letters are looked for in the newest ${RECENT_LIMIT.toLocaleString("en-US")} ${many} only. A third letter searches all of them.`;

/** Tells that no row matches a filter. */
export const NO_MATCH = "Nothing matches these filters.";

/** Tells how many rows a search read before it stopped with the page not full, and which link continues it. */
export const scanStopped = (scanned: number, { many }: { many: string }, { next }: { next: string }): string =>
  `The search looked at ${scanned} ${many} and stopped. "${next}" searches on, to the end.`;

/** Returns the text of the choice to apply a bulk action to all matching rows, of which it takes a limited number. */
export function allMatching({ count, more }: MatchCount): string {
  if (more) return `all that match (the first ${BULK_LIMIT} at most)`;
  const matching = `all ${count.toLocaleString("en-US")} matching`;
  return count > BULK_LIMIT ? `${matching} (the first ${BULK_LIMIT})` : matching;
}
