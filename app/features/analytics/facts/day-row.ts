import { COUNT, type Counts } from "./counts";

/** Names the figures of a day: of an organization, or of all of them together by an empty id. */
export type DayKey = { organizationId: string; day: string };

/** Holds what the figures of a day become. */
export type DayCounts = DayKey & { counts: Counts };

/** Returns the sum of all counts whose names begin so. */
const sumOf = (counts: Counts, prefix: string): number =>
  Object.entries(counts).reduce((sum, [name, count = 0]) => (name.startsWith(prefix) ? sum + count : sum), 0);

/** Returns what of the counts is ranked and added up in SQL. */
export const totalsOf = (counts: Counts) => ({
  created: sumOf(counts, "created."),
  answered: sumOf(counts, COUNT.wallBucket),
  kept: sumOf(counts, "kept."),
  missed: sumOf(counts, "missed."),
});

/** Returns the row of a day, its columns in the order of the table. */
export function dayRow({ organizationId, day, counts }: DayCounts): (string | number)[] {
  const { created, answered, kept, missed } = totalsOf(counts);
  const backlog = [0, 1, 2, 3].map((age) => counts[COUNT.backlog(age)] ?? 0);
  return [organizationId, day, created, answered, kept, missed, ...backlog, JSON.stringify(counts)];
}
