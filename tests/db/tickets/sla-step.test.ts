import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import type { OrganizationPlan } from "~/features/organizations/model";
import type { SlaEvent } from "~/features/tickets/sla/due-times";
import { openTargets, type SlaStep, stepTargets } from "~/features/tickets/sla/targets.server";
import type { TicketPriority } from "~/lib/ticket-values";
import { days } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson } from "../../support/factories";
import { makeTicket } from "../../support/tickets";

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
  await nobody.db.update(organizations).set({ plan, contract_started_at }).where(eq(organizations.id, organization.id));
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
  const [row] = await ctx.db.select().from(tickets).where(eq(tickets.id, id));
  if (!row) throw new Error("There is no such ticket");
  const ticket = { id, number: row.number, priority: row.priority, sla: { json: row.promise_json } };
  const to = organizationId ?? row.organization_id;
  const step = await stepTargets(ctx, ticket, { organizationId: to, events });
  return store(ctx, ticket, { ...step, columns: { ...step.columns, ...{ organization_id: to } } });
}

const dueOf = async (ctx: TestContext, { id }: { id: string }) => {
  const [row] = await ctx.db.select({ at: tickets.due_at }).from(tickets).where(eq(tickets.id, id));
  return row?.at ?? null;
};

const entriesOf = (ctx: TestContext, organization: { id: string }) =>
  ctx.db.select().from(allowanceEntries).where(eq(allowanceEntries.organization_id, organization.id));

const historyOf = async (ctx: TestContext, { id }: { id: string }) =>
  (await ctx.db.all<{ kind: string }>(sql`SELECT kind FROM ticket_events WHERE ticket_id = ${id} ORDER BY rowid`)).map(
    ({ kind }) => kind,
  );

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
  expect(await historyOf(made.ctx, ticket)).toEqual(["allowance_used"]);
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
  expect(await historyOf(made.ctx, other.ticket)).toEqual([]);
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
  expect(await historyOf(from.ctx, ticket)).toEqual(["allowance_used", "allowance_reversed", "allowance_used"]);
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
  expect(await historyOf(ctx, ticket)).toEqual(["promise_kept", "promise_missed"]);
  expect(await dueOf(ctx, ticket)).toBeNull();
});

test("a ticket that came without a clock is promised the next reply once the client writes", async () => {
  const made = await customer("premium");
  const ticket = await makeTicket(made.ctx, { organizationId: made.organization.id, createdBy: made.person });
  await happen(made.ctx, ticket, [{ type: "client-message", at: FRIDAY_NIGHT }]);
  expect(await dueOf(made.ctx, ticket)).toBe(FRIDAY_NIGHT + days(1));
});
