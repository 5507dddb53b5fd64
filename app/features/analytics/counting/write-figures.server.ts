import { eq, sql } from "drizzle-orm";
import { type Db, expectThat, type Statement } from "~/db/client.server";
import { jsonParameters } from "~/db/json-parameters";
import { dailyFigures, rangeFigures } from "~/db/schema/figures";
import { counters } from "~/db/schema/infrastructure";
import { addDays } from "~/lib/time";
import { RANGES } from "../definitions";
import { addCounts, type Counts } from "../facts/counts";
import { type DayCounts, type DayKey, dayRow, totalsOf } from "../facts/day-row";

/** Stands for all organizations together. */
export const WHOLE_SITE = "";

/** Reads the figures of days that are to be changed. */
export async function readDayCounts(db: Db, keys: readonly DayKey[]): Promise<DayCounts[]> {
  const rows = await db.all<DayKey & { counts: string }>(sql`
    SELECT f.organization_id AS organizationId, f.day, f.counts
    FROM json_each(${JSON.stringify(keys)}) k CROSS JOIN daily_figures f
      ON f.organization_id = k.value ->> 'organizationId' AND f.day = k.value ->> 'day'`);
  return rows.map(({ counts, ...key }) => ({ ...key, counts: JSON.parse(counts) as Counts }));
}

/** Returns the statements that store the figures of days. What has become empty goes. */
export function dayStatements(db: Db, days: readonly DayCounts[]): Statement[] {
  const empty = days.filter(({ counts }) => Object.keys(counts).length === 0);
  const full = days.filter(({ counts }) => Object.keys(counts).length > 0).map(dayRow);
  const f = dailyFigures;
  return [
    db.delete(f).where(sql`(${f.organization_id}, ${f.day}) IN (
        SELECT value ->> 'organizationId', value ->> 'day' FROM json_each(${JSON.stringify(empty)}))`),
    ...jsonParameters(full).map((rows) =>
      db
        .insert(f)
        .select(sql`
        SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
          value ->> 8, value ->> 9, value ->> 10
        FROM json_each(${rows}) WHERE 1`)
        .onConflictDoUpdate({ target: [f.organization_id, f.day], set: replaced }),
    ),
  ];
}

/** Replaces every figure of a day by the new one. */
const replaced = Object.fromEntries(
  [
    ...(["created", "answered", "kept", "missed", "counts"] as const),
    ...(["backlog_0", "backlog_1", "backlog_2", "backlog_3"] as const),
  ].map((name) => [name, sql.raw(`excluded.${name}`)]),
);

/** Returns the statements that add changes of days to the ranges that contain them. `until`: last day of the ranges. */
export function rangeStatements(db: Db, changes: readonly DayCounts[], until: string): Statement[] {
  const rows = RANGES.flatMap((range) => {
    const first = addDays(until, 1 - range);
    const sums = new Map<string, Counts>();
    for (const { organizationId, day, counts } of changes)
      if (organizationId !== WHOLE_SITE && day >= first && day <= until)
        sums.set(organizationId, addCounts(sums.get(organizationId) ?? {}, counts));
    return [...sums].map(([id, counts]) => [range, id, ...Object.values(totalsOf(counts))]);
  }).filter(([, , ...totals]) => totals.some((total) => total !== 0));
  if (rows.length === 0) return [];
  const r = rangeFigures;
  const added = (name: "created" | "answered" | "kept" | "missed") => sql.raw(`${name} + excluded.${name}`);
  return [
    db
      .insert(r)
      .select(sql`
      SELECT r.value ->> 0, o.id, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5
      FROM json_each(${JSON.stringify(rows)}) r CROSS JOIN organizations o ON o.id = r.value ->> 1 WHERE 1`)
      .onConflictDoUpdate({
        target: [r.range, r.organization_id],
        set: { created: added("created"), answered: added("answered"), kept: added("kept"), missed: added("missed") },
      }),
  ];
}

/** Returns the statements that add up a range anew, for a new day or to correct it. */
export const rebuiltRange = (db: Db, range: number, until: string): Statement[] => [
  db.delete(rangeFigures).where(eq(rangeFigures.range, range)),
  db.insert(rangeFigures).select(sql`
    SELECT ${range}, f.organization_id, sum(f.created), sum(f.answered), sum(f.kept), sum(f.missed)
    FROM daily_figures f CROSS JOIN organizations o ON o.id = f.organization_id
    WHERE f.day BETWEEN ${addDays(until, 1 - range)} AND ${until} AND f.organization_id <> ''
    GROUP BY f.organization_id HAVING sum(f.created + f.answered + f.kept + f.missed) > 0`),
];

/** Returns how often figures were written. Whoever writes them expects the number that was read before. */
export async function readWritten(db: Db): Promise<number> {
  const [row] = await db.all<{ value: number }>(sql`SELECT value FROM counters WHERE name = 'figures_written'`);
  if (!row) throw new Error("Nothing says how often figures were written");
  return row.value;
}

/** Returns the statements that keep two runs from adding at once: the batch of the second one fails. */
export const expectWritten = (db: Db, written: number): Statement[] => [
  expectThat(db, sql`(SELECT value FROM counters WHERE name = 'figures_written') = ${written}`),
  db
    .update(counters)
    .set({ value: sql`${counters.value} + 1` })
    .where(eq(counters.name, "figures_written")),
];
