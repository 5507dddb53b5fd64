import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import { contactSubmissions } from "~/db/schema/submissions";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import type { OrganizationPlan } from "~/features/organizations/model";
import { type OpenTimes, siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { countReplyTimesThatMove } from "~/features/submissions/changes.server";
import { readQueue } from "~/features/submissions/queue.server";
import { replyDueAt } from "~/features/submissions/reply-target";
import type { SlaEvent } from "~/features/tickets/sla/due-times";
import {
  countClocksThatMove,
  keepRunningClocks,
  moveRunningClocks,
  openTargets,
  type SlaStep,
  stepTargets,
} from "~/features/tickets/sla/targets.server";
import { moveClocks } from "~/jobs/ticket-jobs.server";
import type { TicketPriority } from "~/lib/ticket-values";
import { days, hours } from "~/lib/time";
import { type TestContext, testContext, WEDNESDAY } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSubmission } from "../../support/factories";
import { fillTickets } from "../../support/filled-lists";
import { historyOf, makeTicket, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

const kindsOf = async (ctx: TestContext, { id }: { id: string }) =>
  (await historyOf(ctx, id)).map((line) => (line as string[])[0]);

const entriesOf = (ctx: TestContext, organization: { id: string }) =>
  ctx.db.select().from(allowanceEntries).where(eq(allowanceEntries.organization_id, organization.id));

describe("a step of the clock", () => {
  const FRIDAY_NIGHT = Date.parse("2026-11-20T19:30-06:00");

  const MONDAY_AT_TEN = Date.parse("2026-11-23T10:00-06:00");

  const AT_HALF_PAST_ELEVEN = Date.parse("2026-11-20T23:30-06:00");

  /** Makes an organization whose contract began on June 2, 2025, and one of its people, on a Friday at 19:30. */
  async function customer(plan: OrganizationPlan) {
    const nobody = testContext();
    nobody.clock.set(FRIDAY_NIGHT);
    const organization = await makeOrganization(nobody);
    const person = await makePerson(nobody);
    await makeMember(nobody, organization.id, person, "member");
    const contract_started_at = plan === "none" ? null : Date.parse("2025-06-02T09:00-05:00");
    await nobody.db
      .update(organizations)
      .set({ plan, contract_started_at })
      .where(eq(organizations.id, organization.id));
    return { ctx: as(nobody, person), organization, person };
  }

  type Customer = Awaited<ReturnType<typeof customer>>;

  /** Stores a ticket and prepares its clock, without storing that. */
  async function opening({ ctx, organization, person }: Customer, priority: TicketPriority) {
    const ticket = await makeTicket(ctx, { organizationId: organization.id, createdBy: person, priority });
    const facts = { ...ticket, organizationId: organization.id, by: "client", at: ctx.now(), priority } as const;
    return { ticket, step: () => openTargets(ctx, facts) };
  }

  const store = (ctx: TestContext, ticket: { id: string }, { columns, statements }: SlaStep) =>
    commit(ctx.db, [ctx.db.update(tickets).set(columns).where(eq(tickets.id, ticket.id)), ...statements]);

  async function open(made: Customer, priority: TicketPriority) {
    const { ticket, step } = await opening(made, priority);
    expect(await store(made.ctx, ticket, await step())).toBe(true);
    return ticket;
  }

  async function happen(ctx: TestContext, { id }: { id: string }, events: SlaEvent[], organizationId?: string) {
    const row = await ticketRow(ctx, id);
    const ticket = { id, number: row.number, priority: row.priority, sla: { json: row.promise_json } };
    const to = organizationId ?? row.organization_id;
    const step = await stepTargets(ctx, ticket, { organizationId: to, events });
    return store(ctx, ticket, { ...step, columns: { ...step.columns, ...{ organization_id: to } } });
  }

  const dueOf = async (ctx: TestContext, { id }: { id: string }) => (await ticketRow(ctx, id)).due_at;

  test("an urgent ticket of a Friday night on Core is promised four hours, and names ticket, person and contract year", async () => {
    const made = await customer("core");
    const ticket = await open(made, "urgent");
    expect(await dueOf(made.ctx, ticket)).toBe(AT_HALF_PAST_ELEVEN);
    expect(await entriesOf(made.ctx, made.organization)).toMatchObject([
      {
        kind: "after_hours",
        contract_year: "2026-06-02",
        ticket_id: ticket.id,
        ticket_number: ticket.number,
        actor_name: made.person.fullName,
        at: FRIDAY_NIGHT,
        reversed_at: null,
      },
    ]);
    expect(await kindsOf(made.ctx, ticket)).toEqual(["allowance_used"]);
  });

  test.each(["none", "basic"] as const)("on the plan %s it is promised Monday at ten", async (plan) => {
    const made = await customer(plan);
    expect(await dueOf(made.ctx, await open(made, "urgent"))).toBe(MONDAY_AT_TEN);
    expect(await entriesOf(made.ctx, made.organization)).toEqual([]);
  });

  test("the sixth incident of a contract year waits for Monday; one that was taken back, and a new year, count again", async () => {
    const made = await customer("core");
    const incidents = [];
    for (let count = 0; count < 5; count += 1) incidents.push(await open(made, "urgent"));
    expect(await dueOf(made.ctx, await open(made, "urgent"))).toBe(MONDAY_AT_TEN);
    await made.ctx.db
      .update(allowanceEntries)
      .set({ reversed_at: FRIDAY_NIGHT, reversed_by_name: "Sam", reversal_reason: "It was our own fault" })
      .where(eq(allowanceEntries.ticket_id, incidents[0]?.id ?? ""));
    expect(await dueOf(made.ctx, await open(made, "urgent"))).toBe(AT_HALF_PAST_ELEVEN);
    expect(await dueOf(made.ctx, await open(made, "urgent"))).toBe(MONDAY_AT_TEN);
    made.ctx.clock.advance(days(364));
    await open(made, "urgent");
    expect((await entriesOf(made.ctx, made.organization)).at(-1)?.contract_year).toBe("2027-06-02");
  });

  test("of two urgent tickets at once one gets the last incident, and the other is decided again", async () => {
    const made = await customer("core");
    for (let count = 0; count < 4; count += 1) await open(made, "urgent");
    const [one, other] = [await opening(made, "urgent"), await opening(made, "urgent")];
    const [first, second] = [await one.step(), await other.step()];
    expect([first.columns.due_at, second.columns.due_at]).toEqual([AT_HALF_PAST_ELEVEN, AT_HALF_PAST_ELEVEN]);
    expect(await store(made.ctx, one.ticket, first)).toBe(true);
    expect(await store(made.ctx, other.ticket, second)).toBe(false);
    expect(await kindsOf(made.ctx, other.ticket)).toEqual([]);
    expect(await store(made.ctx, other.ticket, await other.step())).toBe(true);
    expect(await dueOf(made.ctx, other.ticket)).toBe(MONDAY_AT_TEN);
    expect(await entriesOf(made.ctx, made.organization)).toHaveLength(5);
  });

  test("a ticket that moves gives its incident back and takes one of the other organization", async () => {
    const [from, to] = [await customer("core"), await customer("core")];
    const ticket = await open(from, "urgent");
    const moved: SlaEvent = { type: "organization-moved", at: FRIDAY_NIGHT };
    expect(await happen(from.ctx, ticket, [moved], to.organization.id)).toBe(true);
    expect(await entriesOf(from.ctx, from.organization)).toMatchObject([
      { reversed_at: FRIDAY_NIGHT, reversal_reason: "The ticket moved to another organization" },
    ]);
    expect(await entriesOf(from.ctx, to.organization)).toMatchObject([{ ticket_id: ticket.id, reversed_at: null }]);
    expect(await kindsOf(from.ctx, ticket)).toEqual(["allowance_used", "allowance_reversed", "allowance_used"]);
  });

  test("an incident is used up when the client answers at night, not while we still wait for them", async () => {
    const made = await customer("core");
    const { ctx } = made;
    const ticket = await open(made, "medium");
    const at = FRIDAY_NIGHT;
    await happen(ctx, ticket, [{ type: "staff-message", at }]);
    await happen(ctx, ticket, [{ type: "client-message", at }]);
    await happen(ctx, ticket, [{ type: "status-changed", at, to: "waiting_for_customer" }]);
    await happen(ctx, ticket, [{ type: "priority-changed", at, to: "urgent" }]);
    expect([await dueOf(ctx, ticket), await entriesOf(ctx, made.organization)]).toEqual([null, []]);
    const morning = Date.parse("2026-11-23T09:00-06:00");
    ctx.clock.set(morning);
    await happen(ctx, ticket, [{ type: "client-message", at: morning }]);
    expect(await dueOf(ctx, ticket)).toBe(Date.parse("2026-11-23T11:00-06:00"));
    expect(await entriesOf(ctx, made.organization)).toEqual([]);
  });

  test("outcomes are written down once, and a pause takes the ticket out of what is due", async () => {
    const made = await customer("basic");
    const { ctx } = made;
    const ticket = await open(made, "high");
    const at = (time: string) => Date.parse(`2026-11-${time}-06:00`);
    await happen(ctx, ticket, [{ type: "staff-message", at: at("23T09:00") }]);
    await happen(ctx, ticket, [{ type: "client-message", at: at("23T10:00") }]);
    expect(await dueOf(ctx, ticket)).toBe(at("23T14:00"));
    await happen(ctx, ticket, [{ type: "status-changed", at: at("23T11:00"), to: "waiting_for_customer" }]);
    expect(await dueOf(ctx, ticket)).toBeNull();
    await happen(ctx, ticket, [{ type: "client-message", at: at("23T12:00") }]);
    await happen(ctx, ticket, [
      { type: "staff-message", at: at("23T15:01") },
      { type: "resolved", at: at("23T15:01"), by: "staff" },
    ]);
    expect(await kindsOf(ctx, ticket)).toEqual(["promise_kept", "promise_missed"]);
    expect(await dueOf(ctx, ticket)).toBeNull();
  });

  test("a ticket that came without a clock is promised the next reply once the client writes", async () => {
    const made = await customer("premium");
    const ticket = await makeTicket(made.ctx, { organizationId: made.organization.id, createdBy: made.person });
    await happen(made.ctx, ticket, [{ type: "client-message", at: FRIDAY_NIGHT }]);
    expect(await dueOf(made.ctx, ticket)).toBe(FRIDAY_NIGHT + days(1));
  });
});

describe("clocks that run", () => {
  const ZONE = "America/Chicago";

  /** Closes at noon: what was due later in the day moves to the next. */
  const MORNINGS: OpenTimes = {
    week: DEFAULT_SETTINGS.openTimes.week.map((frames) => (frames.length > 0 ? [{ opens: 480, closes: 720 }] : [])),
    holidays: [],
  };

  const mornings = siteCalendar({ timeZone: ZONE, openTimes: MORNINGS });
  const always = siteCalendar({ timeZone: ZONE, openTimes: DEFAULT_SETTINGS.openTimes });

  let world: Awaited<ReturnType<typeof ticketWorld>>;

  beforeEach(async () => {
    world = await ticketWorld();
    for (const table of [tickets, settings, contactSubmissions]) await world.base.db.delete(table);
  });

  const open = async (priority: TicketPriority) =>
    valueOf(await world.client(world.dana).open({ priority, impact: priority === "urgent" ? "All print" : null })).id;

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
    const counted = (calendar: typeof mornings) => countClocksThatMove(world.base.db, calendar, world.base.now());
    expect(await counted(mornings)).toEqual({ count: 1, isMore: false });
    expect(await counted(always)).toEqual({ count: 0, isMore: false });
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
    const at = base.now();
    const dueAt = replyDueAt(always, at);
    const [waiting, late, answered] = [
      await makeSubmission(base),
      await makeSubmission(base, { at: at - days(3), replyDueAt: at - 1 }),
      await makeSubmission(base, { status: "contacted" }),
    ];
    const promised = async () => {
      const rows = await base.db.select().from(contactSubmissions);
      return [waiting, late, answered].map(({ id }) => rows.find((row) => row.id === id)?.reply_due_at);
    };
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
    expect(await kindsOf(world.base, { id: running })).not.toContain("promise_missed");
  });

  test("clocks are counted and moved without reading the tickets that are closed", async () => {
    const { base, avery } = world;
    const running = await open("high");
    await fillTickets(base, avery.id, [0, 150]);
    await base.db.run(sql`UPDATE support_tickets SET status = 'closed' WHERE id <> ${running}`);
    const rowsRead = async (work: () => Promise<unknown>) => {
      base.cost.rowsRead = 0;
      await work();
      return base.cost.rowsRead;
    };
    expect(await rowsRead(() => countClocksThatMove(base.db, mornings, base.now()))).toBeLessThan(100);
    await save(MORNINGS, true);
    expect(await rowsRead(() => moveClocks(base))).toBeLessThan(100);
    expect(await dueOf(running)).toBe(WEDNESDAY + hours(24));
  });

  test("an after-hours incident whose reply new hours promise as soon is given back with the reason, once clocks move", async () => {
    const { base, here } = world;
    await base.db.update(organizations).set({ plan: "core" }).where(eq(organizations.id, here.id));
    base.clock.set(WEDNESDAY + hours(11));
    const atNight = await open("urgent");
    const until22: OpenTimes = {
      week: DEFAULT_SETTINGS.openTimes.week.map((frames) => frames.map(({ opens }) => ({ opens, closes: 1_320 }))),
      holidays: [],
    };
    await save(until22, false);
    await moveClocks(base);
    const state = async () => [await dueOf(atNight), await entriesOf(base, here)];
    expect(await state()).toMatchObject([base.now() + hours(4), [{ reversed_at: null }]]);
    await save(until22, true);
    await moveClocks(base);
    const reason = "The opening hours changed, and the reply is due just as soon in normal hours";
    expect(await state()).toMatchObject([
      base.now() + hours(2),
      [{ ticket_id: atNight, reversed_at: base.now(), reversal_reason: reason }],
    ]);
    const [event] = await base.db
      .select()
      .from(ticketEvents)
      .where(and(eq(ticketEvents.ticket_id, atNight), eq(ticketEvents.kind, "allowance_reversed")));
    expect(event?.reason).toBe(reason);
  });

  test("hours that are saved again without moving end a move that still waits", async () => {
    const running = await open("high");
    await save(MORNINGS, true);
    await save(MORNINGS, false);
    expect(await moveClocks(world.base)).toEqual({ count: 0 });
    expect(await dueOf(running)).toBe(WEDNESDAY + hours(4));
  });
});
