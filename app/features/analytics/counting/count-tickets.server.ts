import { sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { jsonParameters } from "~/db/json-parameters";
import { ticketFacts, ticketsToCount } from "~/db/schema/figures";
import { addCounts, type Counts, countsOf } from "../facts/counts";
import type { DayCounts } from "../facts/day-row";
import { type Calendars, deriveFacts, type Fact } from "../facts/derive-facts";
import { groupedBy } from "./grouped-by";
import { readHistories } from "./read-histories.server";
import {
  dayStatements,
  expectWritten,
  rangeStatements,
  readDayCounts,
  readWritten,
  WHOLE_SITE,
} from "./write-figures.server";

/** Names a ticket that is to be counted, with the number of its changes so far. */
type Due = { number: number; changes: number };

type StoredFact = Fact & { id: number };

type Counting = { calendars: Calendars; until: string };

/**
 * Derives the facts of tickets again and moves the figures of the days by what is different. `until` is the last day of
 * the ranges. Returns the ids of tickets that were different; null: another run has written meanwhile, and nothing was
 * written.
 */
export async function countTickets(
  db: Db,
  due: readonly Due[],
  { calendars, until }: Counting,
): Promise<string[] | null> {
  const numbers = due.map(({ number }) => number);
  const [written, histories, stored] = await Promise.all([
    readWritten(db),
    readHistories(db, numbers),
    readFacts(db, numbers),
  ]);
  const storedOf = groupedBy(stored, (fact) => fact.ticket_id);
  const changed = histories
    .map((history) => ({
      id: history.id,
      before: storedOf.get(history.id) ?? [],
      after: deriveFacts(history, calendars),
    }))
    .filter(({ before, after }) => keysOf(before) !== keysOf(after));
  const before = changed.flatMap((ticket) => ticket.before);
  const after = changed.flatMap((ticket) => ticket.after);
  const changes = changesOf(before, after);
  const known = await readDayCounts(db, changes);
  const days = changes.map(({ counts, ...key }) => {
    const old = known.find(({ organizationId, day }) => organizationId === key.organizationId && day === key.day);
    return { ...key, counts: addCounts(old?.counts ?? {}, counts) };
  });
  const done = await commit(db, [
    ...expectWritten(db, written),
    db.delete(ticketFacts).where(sql`${ticketFacts.id} IN (SELECT value FROM json_each(${idsOf(before)}))`),
    ...insertFacts(db, after),
    ...dayStatements(db, days),
    ...rangeStatements(db, changes, until),
    db.delete(ticketsToCount).where(sql`(${ticketsToCount.number}, ${ticketsToCount.changes}) IN (
      SELECT value ->> 'number', value ->> 'changes' FROM json_each(${JSON.stringify(due)}))`),
  ]);
  return done ? changed.map(({ id }) => id) : null;
}

const idsOf = (facts: readonly StoredFact[]): string => JSON.stringify(facts.map(({ id }) => id));

const readFacts = (db: Db, numbers: readonly number[]): Promise<StoredFact[]> =>
  db.all(sql`
    SELECT f.* FROM json_each(${JSON.stringify(numbers)}) n CROSS JOIN support_tickets t ON t.number = n.value
    CROSS JOIN ticket_facts f ON f.ticket_id = t.id`);

/** Lists the columns of a fact in the order of the table, without its id. */
const COLUMNS = [
  ...(["ticket_id", "organization_id", "kind", "day", "at", "priority"] as const),
  ...(["open_time", "total_time", "paused_time", "again_on", "detail"] as const),
];

/** Returns a text that is the same for the same facts, in whatever order. */
const keysOf = (facts: readonly Fact[]): string =>
  facts
    .map((fact) => JSON.stringify(COLUMNS.map((column) => fact[column])))
    .sort()
    .join();

const insertFacts = (db: Db, facts: readonly Fact[]): Statement[] => {
  const values = COLUMNS.map((_, index) => `value ->> ${index}`).join(", ");
  return jsonParameters(facts.map((fact) => COLUMNS.map((column) => fact[column]))).map((rows) =>
    db.insert(ticketFacts).select(sql`SELECT NULL, ${sql.raw(values)} FROM json_each(${rows})`),
  );
};

/** Returns by what the days of organizations, and of all together, change. */
function changesOf(before: readonly Fact[], after: readonly Fact[]): DayCounts[] {
  const days = new Map<string, DayCounts>();
  const add = (organizationId: string, day: string, counts: Counts, sign: 1 | -1) => {
    const key = `${organizationId} ${day}`;
    const known = days.get(key) ?? { organizationId, day, counts: {} };
    addCounts(known.counts, counts, sign);
    days.set(key, known);
  };
  for (const [facts, sign] of [
    [before, -1],
    [after, 1],
  ] as const)
    for (const fact of facts)
      for (const organizationId of [fact.organization_id, WHOLE_SITE])
        add(organizationId, fact.day, countsOf(fact), sign);
  return [...days.values()].filter(({ counts }) => Object.keys(counts).length > 0);
}
