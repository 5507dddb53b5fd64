/*
 * Money is whole cents everywhere and never a fraction: sums of them are exact, and the same on the server and in a
 * browser. Amounts here stay far below 2^53.
 */

/** A share of an amount, rounded half up to a whole cent: `percentOf(7900, 35)` → 2765. */
export const percentOf = (cents: number, percent: number): number => Math.floor((cents * percent + 50) / 100);

/** `formatCents(178800)` → "$1,788.00". */
export function formatCents(cents: number): string {
  return `${formatDollars(cents - (cents % 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** Rounded half up to a whole dollar: `formatDollars(2765)` → "$28", `formatDollars(14900)` → "$149". */
export function formatDollars(cents: number): string {
  const dollars = String(Math.floor((cents + 50) / 100));
  return `$${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}`;
}
