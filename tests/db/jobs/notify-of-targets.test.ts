import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { notifications } from "~/db/schema/notifications";
import { settings } from "~/db/schema/site";
import { tickets } from "~/db/schema/tickets";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { notifyOfTargets } from "~/jobs/ticket-jobs.server";
import { hours, minutes } from "~/lib/time";
import { testContext, WEDNESDAY } from "../../support/context";
import { saveSetting } from "../../support/settings";
import { historyOf, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

beforeEach(async () => {
  for (const table of [settings, tickets]) await testContext().db.delete(table);
});

/** Opens a high ticket on a Wednesday at nine in Chicago: it is due at 13:00, and people are warned at 12:00. */
async function opened() {
  const world = await ticketWorld();
  const { base } = world;
  const ticket = valueOf(await world.client(world.dana).open());
  // Staff of the tests before hear of it too.
  const staffHere = [world.avery.id, world.sam.id];
  const told = async () =>
    (
      await base.db
        .select({ person: notifications.user_id, event: notifications.event })
        .from(notifications)
        .where(eq(notifications.subject_id, ticket.id))
    ).filter(({ person, event }) => event === "promise_at_risk" && staffHere.includes(person));
  const run = async (after: number) => {
    base.clock.set(WEDNESDAY + after);
    return notifyOfTargets(base);
  };
  const kinds = async () => (await historyOf(base, ticket.id)).map((line) => (line as string[])[0]);
  return { ...world, ticket, told, run, kinds };
}

test("all staff hear once that three quarters of a promise have passed, and once that all of it has", async () => {
  const { avery, sam, told, run, kinds, ticket, base } = await opened();
  expect(await run(hours(3) - 1)).toMatchObject({ count: 0 });
  expect(await run(hours(3))).toMatchObject({ count: 1 });
  expect(await run(hours(3) + minutes(1))).toMatchObject({ count: 0 });
  expect((await told()).map(({ person }) => person).sort()).toEqual([avery.id, sam.id].sort());
  expect(await run(hours(4))).toMatchObject({ count: 0 });
  expect(await run(hours(4) + 1)).toMatchObject({ count: 1 });
  expect(await run(hours(5))).toMatchObject({ count: 0 });
  expect(await told()).toHaveLength(4);
  expect(await kinds()).toEqual(["opened", "promise_warned", "promise_missed"]);
  const row = await ticketRow(base, ticket.id);
  expect(row).toMatchObject({ due_at: WEDNESDAY + hours(4), warn_at: null, miss_at: null });
});

test("two runs at once tell it once, and so do five", async () => {
  const { told, base, kinds } = await opened();
  base.clock.set(WEDNESDAY + hours(3));
  await Promise.all([notifyOfTargets(base), notifyOfTargets(base)]);
  expect(await told()).toHaveLength(2);
  base.clock.set(WEDNESDAY + hours(5));
  await Promise.all(Array.from({ length: 5 }, () => notifyOfTargets(base)));
  expect(await told()).toHaveLength(4);
  expect(await kinds()).toEqual(["opened", "promise_warned", "promise_missed"]);
});

test("whoever has the ticket hears of it, and nobody else", async () => {
  const { avery, sam, staff, told, run, ticket } = await opened();
  await staff(avery).assign(ticket.id, sam.id);
  await run(hours(3));
  await run(hours(5));
  expect((await told()).map(({ person }) => person)).toEqual([sam.id, sam.id]);
});

test("a reply in time ends the warning, and a run that comes late only says that it was missed", async () => {
  const answered = await opened();
  await answered.staff(answered.sam).reply(answered.ticket.id);
  await answered.run(hours(30));
  expect(await answered.told()).toEqual([]);
  expect(await answered.kinds()).toEqual(["opened", "promise_kept"]);
  const late = await opened();
  await late.run(hours(30));
  expect(await late.told()).toHaveLength(2);
  expect(await late.kinds()).toEqual(["opened", "promise_missed"]);
});

test("a run takes a part of what is due, and says that there is more", async () => {
  const { base, ticket } = await opened();
  const row = await ticketRow(base, ticket.id);
  const { search_state: _, is_active: __, ...plain } = row as typeof row & Record<string, unknown>;
  for (let count = 1; count <= 30; count += 1)
    await base.db.insert(tickets).values({ ...plain, id: base.newId("tkt"), number: row.number + 10_000 + count });
  base.clock.set(WEDNESDAY + hours(5));
  expect(await notifyOfTargets(base)).toEqual({ count: 25, more: true });
  expect(await notifyOfTargets(base)).toMatchObject({ count: 6, more: false });
});

test("a resolution is promised once the settings say how soon; staff hear once when it is near, and once when it is missed", async () => {
  const each = { urgent: "4 hours", high: "8 hours", medium: "9 hours", low: "9 hours" };
  const targets = Object.entries(each).map(([priority, time]) => [`resolve_${priority}`, time]);
  await saveSetting("promises", { reply_high: "2 hours", ...Object.fromEntries(targets) });
  const world = await ticketWorld();
  const { base } = world;
  const { ctx, actor, open } = world.client(world.dana);
  const { id } = valueOf(await open());
  valueOf(await world.staff(world.sam).reply(id));
  const start = base.now();
  const row = await ticketRow(base, id);
  expect(row).toMatchObject({ due_at: null, warn_at: start + hours(6), miss_at: start + hours(8) });
  for (const after of [6, 7, 8.1, 8.2]) {
    base.clock.set(start + hours(after));
    await notifyOfTargets(base);
  }
  const ofSam = and(eq(notifications.subject_id, id), eq(notifications.user_id, world.sam.id));
  expect(await base.db.$count(notifications, and(ofSam, eq(notifications.event, "promise_at_risk")))).toBe(2);
  const lines = (await historyOf(base, id)).map((line) => (line as string[]).slice(0, 2).join(" "));
  expect(lines).toEqual([
    "opened ",
    "promise_kept first_response",
    "promise_warned resolution",
    "promise_missed resolution",
  ]);
  const page = await readClientTicket(ctx, actor, { ref: id, before: null });
  expect(page?.slas.map(({ text }) => text)).toEqual(["We promised to resolve this by today 17:00. We are late."]);
});

test("a ticket that cannot be changed keeps no other one waiting, and the job says that something is wrong", async () => {
  const broken = await opened();
  const { base, ticket, told, avery } = await opened();
  await base.db.update(tickets).set({ promise_json: "{", warn_at: 0 }).where(eq(tickets.id, broken.ticket.id));
  base.clock.set(WEDNESDAY + hours(3));
  await expect(notifyOfTargets(base)).rejects.toThrow(SyntaxError);
  expect((await told()).map(({ person }) => person)).toContain(avery.id);
  expect((await ticketRow(base, ticket.id)).warn_at).not.toBe(WEDNESDAY + hours(3));
});
