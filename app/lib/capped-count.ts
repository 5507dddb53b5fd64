/** Describes a count that ends at a limit, so that counting costs no more than showing it. */
export type CappedCount = { count: number; isMore: boolean };

/** Limits how far is counted what no counter maintains; what exceeds it is shown as "50+". */
export const COUNT_LIMIT = 50;

/** Returns a count of at most one more than the limit as one that ends there. */
export const capped = (count: number, limit = COUNT_LIMIT): CappedCount => ({
  count: Math.min(count, limit),
  isMore: count > limit,
});

/** Returns a count as it is shown: "50+" where the counting ended. */
export const cappedText = ({ count, isMore }: CappedCount): string => `${count}${isMore ? "+" : ""}`;
