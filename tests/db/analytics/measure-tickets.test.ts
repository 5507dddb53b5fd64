import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import type { Times } from "~/features/analytics/model";
import { readMetrics } from "~/features/analytics/queries.server";
import { hours, minutes } from "~/lib/time";
import { tellingWorld } from "../../support/counted-tickets";
import { valueOf } from "../../support/tickets";

type World = Awaited<ReturnType<typeof tellingWorld>>;
let world: World;
/** Names the tickets of the story by what is special about them. */
let reopened: string;
let staffOpened: string;
let late: string;
let paused: string;

const of = (from: string, to: string, organizationId?: string) =>
  readMetrics(world.base.db, { from: `2026-11-${from}`, to: `2026-11-${to}`, organizationId });

/** Checks times against those that were measured by hand: medians come from a histogram, the mean is exact. */
function expectTimes(times: Times, { n, median, mean }: { n: number; median: number; mean: number }) {
  expect(times.n).toBe(n);
  expect(times.mean).toBe(mean);
  expect(Math.abs((times.median ?? 0) / median - 1)).toBeLessThan(0.05);
}

beforeAll(async () => {
  world = await tellingWorld();
  const { dana, ivy } = world;
  // First reply after an hour; solved within two; undone on the 20th, and resolved again on Tuesday.
  reopened = await world.opens("18 09:00", dana, "high");
  await world.notes("18 09:10", reopened);
  await world.moves("18 09:20", reopened, "in_progress");
  await world.replies("18 10:00", reopened);
  await world.writes("18 10:10", dana, reopened);
  await world.resolves("18 11:00", reopened);
  // The text of staff that opens it, and what they add, answers nobody.
  staffOpened = await world.staffOpens("18 09:00", dana, "medium");
  await world.replies("18 09:30", staffOpened);
  // A day of it is spent waiting for the client; resolving it is an answer, and no first reply.
  paused = await world.opens("18 10:00", ivy, "low");
  await world.moves("18 11:00", paused, "waiting_for_customer");
  // An hour before closing: due at nine on the next morning, and answered the day after.
  late = await world.opens("18 17:00", dana, "urgent");
  await world.writes("19 09:00", dana, staffOpened);
  await world.judges("19 09:01");
  await world.replies("19 09:45", staffOpened);
  await world.moves("19 11:00", paused, "open");
  await world.resolves("19 12:00", paused);
  await world.replies("20 08:00", late);
  await world.reopens("20 10:00", dana, reopened);
  await world.judges("20 14:01");
  await world.resolves("24 10:00", reopened);
  await world.votes("24 11:00", dana, reopened, true);
  await world.votes("24 12:00", ivy, paused, false);
  await measureTickets(world.base);
});

test("first replies are measured from the client's words to those of a person, in open time and in calendar time", async () => {
  const { firstResponse, byPriority } = await of("18", "24");
  // An hour; three quarters of one; and an hour before closing with ten on the next day, which is 39 in calendar time.
  expectTimes(firstResponse.open, { n: 3, median: hours(1), mean: (minutes(60) + minutes(45) + hours(11)) / 3 });
  expectTimes(firstResponse.wall, { n: 3, median: hours(1), mean: (minutes(60) + minutes(45) + hours(39)) / 3 });
  expectTimes(byPriority.urgent.firstResponse, { n: 1, median: hours(11), mean: hours(11) });
  expect(byPriority.low.firstResponse).toEqual({ n: 0, median: null, p90: null, mean: null });
});

test("promises count on the day they were answered, and what nobody answers on the day it fell due", async () => {
  expect((await of("18", "18")).promises).toEqual({ kept: 2, missed: 0 });
  // Kept: the answer to the client's words, and the resolution of the low one. Missed: the urgent one, at nine.
  expect((await of("19", "19")).promises).toEqual({ kept: 2, missed: 1 });
  expect((await of("20", "20")).promises).toEqual({ kept: 0, missed: 1 });
  const { promises, firstReplyTargets, byPriority } = await of("18", "24");
  expect(promises).toEqual({ kept: 4, missed: 2 });
  expect(firstReplyTargets).toEqual({ kept: 3, missed: 1 });
  expect(byPriority.urgent.promises).toEqual({ kept: 0, missed: 1 });
});

test("of several resolutions in a period the last one counts, and each period has its own", async () => {
  const both = await of("18", "24");
  expect(both.resolved).toBe(2);
  const sixDays = Date.parse("2026-11-24T10:00-06:00") - Date.parse("2026-11-18T09:00-06:00");
  expectTimes(both.resolution, { n: 2, median: (hours(26) + sixDays) / 2, mean: (hours(26) + sixDays) / 2 });
  expect(both.pausedMean).toBe(hours(24) / 2);
  const first = await of("18", "20");
  expect(first.resolved).toBe(2);
  expectTimes(first.resolution, { n: 2, median: hours(14), mean: hours(14) });
  expect((await of("20", "24")).resolved).toBe(1);
});

test("what was undone within 14 days is measured against every resolution", async () => {
  expect((await of("18", "24")).reopened).toEqual({ part: 1, n: 3 });
  expect((await of("20", "24")).reopened).toEqual({ part: 0, n: 1 });
});

test("tickets count where they were created, by their status now and the priority chosen first", async () => {
  const { created, byStatus, byPriority } = await of("18", "24");
  expect(created).toBe(4);
  expect(byStatus).toEqual({ open: 2, in_progress: 0, waiting_for_customer: 0, resolved: 2, closed: 0 });
  expect(byPriority.urgent.created).toBe(1);
  expect((await of("19", "24")).created).toBe(0);
});

test("the backlog of a day is what was active at its end, by age", async () => {
  expect((await of("18", "18")).backlog).toEqual([3, 0, 0, 0]);
  expect((await of("19", "19")).backlog).toEqual([2, 0, 0, 0]);
  // Two days old, and the reopened one with them.
  expect((await of("20", "20")).backlog).toEqual([0, 3, 0, 0]);
  expect((await of("24", "24")).backlog).toEqual([0, 2, 0, 0]);
  expect((await of("26", "26")).backlog).toEqual([0, 0, 2, 0]);
});

test("answers to the question whether it is solved count on their day", async () => {
  expect((await of("24", "24")).satisfaction).toEqual({ part: 1, n: 2 });
  expect((await of("18", "23")).satisfaction).toEqual({ part: 0, n: 0 });
});

test("the figures of organizations add up to those of all", async () => {
  const { here, there } = world;
  const [all, one, other] = await Promise.all([of("18", "24"), of("18", "24", here.id), of("18", "24", there.id)]);
  expect([one.created, other.created]).toEqual([3, 1]);
  expect(one.resolved + other.resolved).toBe(all.resolved);
  expect(one.promises.kept + other.promises.kept).toBe(all.promises.kept);
  expect(other.satisfaction).toEqual({ part: 0, n: 1 });
  const ranked = await world.base.db.all(sql`
    SELECT range, organization_id AS id, created, answered, kept, missed FROM range_metrics WHERE range IN (7, 30)
    ORDER BY range, created DESC`);
  const rows = [
    { id: here.id, created: 3, answered: 3, kept: 3, missed: 2 },
    { id: there.id, created: 1, answered: 0, kept: 1, missed: 0 },
  ];
  expect(ranked).toEqual([...rows.map((row) => ({ range: 7, ...row })), ...rows.map((row) => ({ range: 30, ...row }))]);
});

test("a period is one round trip, whatever happened in it", async () => {
  Object.assign(world.base.cost, { trips: 0, rowsRead: 0 });
  await of("01", "30");
  expect(world.base.cost.trips).toBe(1);
  expect(world.base.cost.rowsRead).toBeLessThan(40);
});

test("a day that is summed again is as it was, whatever somebody has made of its sum", async () => {
  const { db } = world.base;
  const before = await of("18", "24");
  const daily = () => db.all(sql`SELECT * FROM daily_metrics ORDER BY organization_id, day`);
  const stored = await daily();
  await db.run(sql`UPDATE daily_metrics SET counts = '{"created.low":9}', kept = 7 WHERE day = '2026-11-19'`);
  await db.run(sql`DELETE FROM daily_metrics WHERE day = '2026-11-20'`);
  expect(await of("18", "24")).not.toEqual(before);
  await db.run(
    sql`INSERT INTO days_to_sum(organization_id, day) SELECT DISTINCT organization_id, day FROM ticket_metrics`,
  );
  await measureTickets(world.base);
  expect(await daily()).toEqual(stored);
  expect(await of("18", "24")).toEqual(before);
});

test("a ticket that changes while it is measured is measured again", async () => {
  const { base } = world;
  await base.db.run(sql`UPDATE support_tickets SET status = 'closed', version = version + 1 WHERE status = 'resolved'`);
  let hasChanged = false;
  const batch = async (statements: Parameters<typeof base.db.batch>[0]) => {
    if (!hasChanged)
      await base.db.run(
        sql`UPDATE support_tickets SET status = 'resolved', version = version + 1 WHERE status = 'closed'`,
      );
    hasChanged = true;
    return base.db.batch(statements);
  };
  const db = new Proxy(base.db, { get: (own, key) => (key === "batch" ? batch : Reflect.get(own, key)) });
  await measureTickets({ ...base, db });
  const { byStatus, unmeasured } = await of("18", "24");
  expect([hasChanged, byStatus.closed, byStatus.resolved, unmeasured]).toEqual([true, 0, 2, 0]);
});

test("other opening hours change nothing of tickets that were created before", async () => {
  const { base } = world;
  const before = await of("18", "24");
  await base.db.run(sql`
    INSERT INTO settings(key, value_json, updated_at) VALUES ('openTimes', ${JSON.stringify({
      week: Array.from({ length: 7 }, () => [{ opens: 0, closes: 1_440 }]),
      holidays: [],
    })}, ${base.now()})`);
  await base.db.run(sql`UPDATE support_tickets SET version = version + 1`);
  await measureTickets(base);
  expect(await base.db.all(sql`SELECT since FROM calendars_in_force`)).toHaveLength(2);
  expect((await of("18", "24")).firstResponse).toEqual(before.firstResponse);
});

test("two runs at once count a change once", async () => {
  const { base } = world;
  const before = await of("18", "24");
  await base.db.run(sql`UPDATE support_tickets SET status = 'closed', version = version + 1 WHERE id = ${paused}`);
  await Promise.all([measureTickets(base), measureTickets(base), measureTickets(base)]);
  await measureTickets(base);
  const after = await of("18", "24");
  expect(after.byStatus).toEqual({ ...before.byStatus, resolved: 1, closed: 1 });
  expect(after.unmeasured).toBe(0);
});

test("a ticket that moves takes its numbers along, and one that is deleted takes them away", async () => {
  const { base, here, there, sam } = world;
  valueOf(await world.staff(sam).moveTo(late, there.id));
  await measureTickets(base);
  expect((await of("18", "24", here.id)).created).toBe(2);
  expect((await of("18", "24", there.id)).firstResponse.open.n).toBe(1);
  await base.db.delete(tickets).where(eq(tickets.id, staffOpened));
  // Its days are not summed yet: the page says that something is to come.
  expect((await of("01", "30")).unmeasured).toBe(1);
  await measureTickets(base);
  expect((await of("18", "24")).created).toBe(3);
  expect((await of("18", "24", here.id)).firstResponse.open.n).toBe(1);
  await base.db.delete(organizations).where(eq(organizations.id, there.id));
  await measureTickets(base);
  const left = await of("18", "24");
  expect(left).toEqual({ ...(await of("18", "24", here.id)), organizationId: null });
  expect(left.created).toBe(1);
  const [active] = await base.db.all(sql`SELECT value FROM totals WHERE name = 'active_organizations.30'`);
  expect(active).toEqual({ value: 1 });
});
