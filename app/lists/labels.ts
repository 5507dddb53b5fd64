import { RECENT_LIMIT } from "./criteria";
import { BULK_LIMIT, type MatchCount } from "./model";

export const TOO_MANY_SEARCHES = "You have searched more than 120 times in a minute. Wait a moment, then try again.";

export const DATES_BACKWARDS = "The start date is after the end date";

export const onlyNewest = ({ many }: { many: string }): string =>
  `One or two letters are looked for in the newest ${RECENT_LIMIT.toLocaleString("en-US")} ${many} only. A third letter searches all of them.`;

export const NO_MATCH = "Nothing matches these filters.";

export const scanStopped = (scanned: number, { many }: { many: string }, { next }: { next: string }): string =>
  `The search looked at ${scanned} ${many} and stopped. "${next}" searches on, to the end.`;

export function allMatching({ count, more }: MatchCount): string {
  if (more) return `all that match (the first ${BULK_LIMIT} at most)`;
  const matching = `all ${count.toLocaleString("en-US")} matching`;
  return count > BULK_LIMIT ? `${matching} (the first ${BULK_LIMIT})` : matching;
}
