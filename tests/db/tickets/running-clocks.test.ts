import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import { contactSubmissions } from "~/db/schema/submissions";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import { type OpenTimes, siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { countReplyTimesThatMove } from "~/features/submissions/changes.server";
import { readQueue } from "~/features/submissions/queue.server";
import { replyDueAt } from "~/features/submissions/reply-target";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { countClocksThatMove, keepRunningClocks, moveRunningClocks } from "~/features/tickets/sla/targets.server";
import { moveClocks } from "~/jobs/ticket-jobs.server";
import type { TicketPriority } from "~/lib/ticket-values";
import { days, hours } from "~/lib/time";
import { WEDNESDAY } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { historyOf, ticketRow, ticketWorld } from "../../support/tickets";

const ZONE = "America/Chicago";
/** Closes at noon: what was due later in the day moves to the next. */
const MORNINGS: OpenTimes = {
  week: DEFAULT_SETTINGS.openTimes.week.map((frames) => (frames.length > 0 ? [{ opens: 480, closes: 720 }] : [])),
  holidays: [],
};
const mornings = siteCalendar({ timeZone: ZONE, openTimes: MORNINGS });

let world: Awaited<ReturnType<typeof ticketWorld>>;
beforeEach(async () => {
  world = await ticketWorld();
  await world.base.db.delete(tickets);
  await world.base.db.delete(settings);
  await world.base.db.delete(contactSubmissions);
});

let nonces = 0;

async function open(priority: TicketPriority) {
  const { ctx, actor } = world.client(world.dana);
  nonces += 1;
  const opened = await openTicket(ctx, actor, {
    organizationId: world.here.id,
    title: "The printer blinks",
    description: "Since noon.",
    priority,
    impact: priority === "urgent" ? "All print" : null,
    category: null,
    nonce: `clock-${nonces}`,
  });
  if (!opened.ok) throw new Error(opened.code);
  return opened.value.id;
}

const dueOf = async (id: string) => (await ticketRow(world.base, id)).due_at;

async function save(openTimes: OpenTimes, moves: boolean) {
  const { base, avery } = world;
  const at = base.now();
  const value = { value_json: JSON.stringify(openTimes), updated_at: at };
  await commit(base.db, [
    base.db
      .insert(settings)
      .values({ key: "openTimes", ...value })
      .onConflictDoUpdate({ target: settings.key, set: value }),
    moves ? moveRunningClocks(base.db, { at, by: avery.id }) : keepRunningClocks(base.db),
  ]);
}

test("only promises that would be due at another time are counted, neither those of the same time nor what was missed", async () => {
  // Wednesday, 9 am in Chicago: two open hours end at eleven either way, four at one o'clock or tomorrow.
  const urgent = await open("urgent");
  await open("high");
  const missed = await open("high");
  const json = sql`json_set(promise_json, '$.running.missed', json('true'))`;
  await world.base.db.update(tickets).set({ promise_json: json }).where(eq(tickets.id, missed));
  expect(await dueOf(urgent)).toBe(WEDNESDAY + hours(2));
  expect(await countClocksThatMove(world.base.db, mornings, world.base.now())).toEqual({ count: 1, isMore: false });
  expect(
    await countClocksThatMove(
      world.base.db,
      siteCalendar({ timeZone: ZONE, openTimes: DEFAULT_SETTINGS.openTimes }),
      world.base.now(),
    ),
  ).toEqual({ count: 0, isMore: false });
});

test("new hours count for what begins from then on; what runs keeps its time", async () => {
  const before = await open("high");
  await save(MORNINGS, false);
  const after = await open("high");
  expect(await moveClocks(world.base)).toEqual({ count: 0 });
  expect(await dueOf(before)).toBe(WEDNESDAY + hours(4));
  expect(await dueOf(after)).toBe(WEDNESDAY + hours(24));
});

test("what was promised to a submission stays promised when the hours change, answered or not, unless they are to move", async () => {
  const { base } = world;
  const DAY_OFF = { ...DEFAULT_SETTINGS.openTimes, holidays: [{ day: "2026-11-19", name: "Founding day" }] };
  const withDayOff = siteCalendar({ timeZone: ZONE, openTimes: DAY_OFF });
  const morning = siteCalendar({ timeZone: ZONE, openTimes: DEFAULT_SETTINGS.openTimes });
  const at = base.now();
  const dueAt = replyDueAt(morning, at);
  const [waiting, late, answered] = [
    await makeSubmission(base),
    await makeSubmission(base, { at: at - days(3), replyDueAt: at - 1 }),
    await makeSubmission(base, { status: "contacted" }),
  ];
  const promised = async () =>
    Promise.all(
      [waiting, late, answered].map(async ({ id }) => {
        const [row] = await base.db.select().from(contactSubmissions).where(eq(contactSubmissions.id, id));
        return row?.reply_due_at;
      }),
    );
  const before = [dueAt, at - 1, dueAt];
  await save(DAY_OFF, false);
  await moveClocks(base);
  expect(await promised()).toEqual(before);
  expect(await countReplyTimesThatMove(base.db, withDayOff, at)).toBe(1);
  const asked = await readQueue(base, { userId: world.avery.id }, "all");
  expect(asked.items.map(({ due }) => due.dueAt)).toEqual([at - 1, dueAt]);
  expect(asked.late.count).toBe(1);
  await save(DAY_OFF, true);
  expect(await moveClocks(base)).toMatchObject({ count: 1 });
  expect(await promised()).toEqual([replyDueAt(withDayOff, at), at - 1, dueAt]);
  expect(replyDueAt(withDayOff, at)).not.toBe(dueAt);
});

test("what runs follows new hours when that is chosen, once, and a day off counts too", async () => {
  const running = await open("high");
  await save({ ...MORNINGS, holidays: [{ day: "2026-11-19", name: "Founding day" }] }, true);
  expect(await moveClocks(world.base)).toEqual({ count: 1, more: false });
  // One hour is left, on Friday morning from eight on.
  expect(await dueOf(running)).toBe(WEDNESDAY + hours(48));
  expect(await moveClocks(world.base)).toEqual({ count: 0 });
  expect((await historyOf(world.base, running)).map((line) => (line as string[])[0])).not.toContain("promise_missed");
});

test("an after-hours incident whose reply new hours promise as soon is given back with the reason, once clocks move", async () => {
  const { base, here } = world;
  await base.db.delete(allowanceEntries);
  await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
  base.clock.set(WEDNESDAY + hours(11));
  const atNight = await open("urgent");
  const entries = () => base.db.select().from(allowanceEntries).where(eq(allowanceEntries.organization_id, here.id));
  const until22: OpenTimes = {
    week: DEFAULT_SETTINGS.openTimes.week.map((frames) => frames.map(({ opens }) => ({ opens, closes: 1_320 }))),
    holidays: [],
  };
  await save(until22, false);
  await moveClocks(base);
  expect([await dueOf(atNight), await entries()]).toMatchObject([base.now() + hours(4), [{ reversed_at: null }]]);
  await save(until22, true);
  await moveClocks(base);
  expect([await dueOf(atNight), await entries()]).toMatchObject([
    base.now() + hours(2),
    [
      {
        ticket_id: atNight,
        reversed_at: base.now(),
        reversal_reason: "The opening hours changed, and the reply is due just as soon in normal hours",
      },
    ],
  ]);
  const [event] = await base.db
    .select()
    .from(ticketEvents)
    .where(and(eq(ticketEvents.ticket_id, atNight), eq(ticketEvents.kind, "allowance_reversed")));
  expect(event?.reason).toBe("The opening hours changed, and the reply is due just as soon in normal hours");
});

test("hours that are saved again without moving end a move that still waits", async () => {
  const running = await open("high");
  await save(MORNINGS, true);
  await save(MORNINGS, false);
  expect(await moveClocks(world.base)).toEqual({ count: 0 });
  expect(await dueOf(running)).toBe(WEDNESDAY + hours(4));
});
