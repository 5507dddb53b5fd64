/** Describes a count that ends at a limit, so that counting costs no more than showing it. */
export type CappedCount = { count: number; isMore: boolean };

/** Limits how far is counted what no counter maintains; what exceeds it is shown as "50+". */
export const COUNT_LIMIT = 50;

export const capped = (count: number, limit = COUNT_LIMIT): CappedCount => ({
  count: Math.min(count, limit),
  isMore: count > limit,
});

export const cappedText = ({ count, isMore }: CappedCount): string => `${count}${isMore ? "+" : ""}`;

// Money is whole cents, so that sums are exact, and equal on the server and in browsers. Amounts are far below 2^53.

/** Returns a percentage of an amount, rounded half up to a whole cent: `percentOfCents(7900, 35)` → 2765. */
export const percentOfCents = (cents: number, percent: number): number => Math.floor((cents * percent + 50) / 100);

/** Formats an amount with cents: `formatCents(178800)` → "$1,788.00". */
export function formatCents(cents: number): string {
  return `${formatDollars(cents - (cents % 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** Formats an amount, rounded half up to a whole dollar: `formatDollars(2765)` → "$28". */
export function formatDollars(cents: number): string {
  const dollars = String(Math.floor((cents + 50) / 100));
  return `$${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}`;
}

/** Formats a price: `formatPrice(7900)` → "$79", `formatPrice(7950)` → "$79.50". */
export const formatPrice = (cents: number): string => (cents % 100 === 0 ? formatDollars(cents) : formatCents(cents));
