import type { Metrics, Share, TargetCounts } from "./model";

/** Of fewer cases no percentage is shown, but the cases. */
const PERCENT_FROM = 5;

export const keptShare = ({ kept, missed }: TargetCounts): Share => ({ part: kept, n: kept + missed });

/** In whole percent; null: there are too few cases for that. */
export const percentOf = ({ part, n }: Share): number | null =>
  n < PERCENT_FROM ? null : Math.round((100 * part) / n);

/**
 * It exceeds 100 % where older tickets were resolved. Two others have this label on a screen: `solvedRate` of what a
 * client sees (`tickets/client-list`), and `resolvedNowRate` of submissions (`reports`).
 */
export const resolutionRate = ({ resolved, created }: Pick<Metrics, "resolved" | "created">): Share => ({
  part: resolved,
  n: created,
});
