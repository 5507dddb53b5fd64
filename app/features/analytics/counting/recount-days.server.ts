import { sql } from "drizzle-orm";
import { commit, type Db } from "~/db/client.server";
import { daysToCount } from "~/db/schema/figures";
import { addCounts, type Counts, countsOf } from "../facts/counts";
import type { DayCounts, DayKey } from "../facts/day-row";
import type { Fact } from "../facts/derive-facts";
import {
  dayStatements,
  expectWritten,
  rangeStatements,
  readDayCounts,
  readWritten,
  WHOLE_SITE,
} from "./write-figures.server";

type Recount = {
  /** Names the last day of the ranges. */
  until: string;
  /** Tells whether the same days of all together are added up too, which reads every organization of each. */
  withWhole?: boolean;
};

/**
 * Adds up days of organizations again from their facts, and then the same days of all together from the days of
 * organizations. Returns those that were wrong; null: another run has written meanwhile, and nothing was written.
 */
export async function recountDays(
  db: Db,
  keys: readonly DayKey[],
  { until, withWhole = true }: Recount,
): Promise<DayKey[] | null> {
  const days = withWhole ? [...new Set(keys.map(({ day }) => day))] : [];
  const wholeKeys = days.map((day) => ({ organizationId: WHOLE_SITE, day }));
  const own = keys.filter(({ organizationId }) => organizationId !== WHOLE_SITE);
  const [written, facts, stored, others] = await Promise.all([
    readWritten(db),
    readFactsOfDays(db, own),
    readDayCounts(db, [...own, ...wholeKeys]),
    readOrganizationsOf(db, days),
  ]);
  const countedOf = (key: DayKey): Counts =>
    facts
      .filter((fact) => fact.organization_id === key.organizationId && fact.day === key.day)
      .reduce((counts, fact) => addCounts(counts, countsOf(fact)), {} as Counts);
  const organizations = own.map((key) => ({ ...key, counts: countedOf(key) }));
  const whole = wholeKeys.map((key) => ({
    ...key,
    counts: [...others.filter((other) => !own.some((each) => isSame(each, other))), ...organizations]
      .filter(({ day }) => day === key.day)
      .reduce((counts, other) => addCounts(counts, other.counts), {} as Counts),
  }));
  const wrong = [...organizations, ...whole].filter((counted) => {
    const before = stored.find((each) => isSame(each, counted));
    return Object.keys(differenceOf(counted, before)).length > 0;
  });
  const changes = wrong.map((counted) => ({
    ...counted,
    counts: differenceOf(
      counted,
      stored.find((each) => isSame(each, counted)),
    ),
  }));
  const done = await commit(db, [
    ...expectWritten(db, written),
    ...dayStatements(db, wrong),
    ...rangeStatements(db, changes, until),
    db.delete(daysToCount).where(sql`(${daysToCount.organization_id}, ${daysToCount.day}) IN (
        SELECT value ->> 'organizationId', value ->> 'day' FROM json_each(${JSON.stringify(keys)}))`),
  ]);
  return done ? wrong.map(({ organizationId, day }) => ({ organizationId, day })) : null;
}

const isSame = (one: DayKey, other: DayKey): boolean =>
  one.organizationId === other.organizationId && one.day === other.day;

/** Returns by what counts differ from those that were stored. */
const differenceOf = ({ counts }: DayCounts, before: DayCounts | undefined): Counts =>
  addCounts({ ...counts }, before?.counts ?? {}, -1);

const readFactsOfDays = (db: Db, keys: readonly DayKey[]): Promise<Fact[]> =>
  db.all(sql`
    SELECT f.* FROM json_each(${JSON.stringify(keys)}) k CROSS JOIN ticket_facts f
      ON f.organization_id = k.value ->> 'organizationId' AND f.day = k.value ->> 'day'`);

/** Reads the figures of every organization on days. */
async function readOrganizationsOf(db: Db, days: readonly string[]): Promise<DayCounts[]> {
  const rows = await db.all<DayKey & { counts: string }>(sql`
    SELECT f.organization_id AS organizationId, f.day, f.counts
    FROM json_each(${JSON.stringify(days)}) d CROSS JOIN daily_figures f ON f.day = d.value
      AND f.organization_id > ''`);
  return rows.map(({ counts, ...key }) => ({ ...key, counts: JSON.parse(counts) as Counts }));
}
