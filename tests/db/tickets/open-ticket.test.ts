import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { type NewTicket, openTicket } from "~/features/tickets/opening/open-ticket.server";
import { fail } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { historyOf, ticketRow, ticketWorld } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

const input = (organizationId: string, more: Partial<NewTicket> = {}): NewTicket => ({
  organizationId,
  title: "Printer offline",
  description: "The one on the second floor.",
  priority: "high",
  category: "Technical Support",
  impact: null,
  nonce: nonce(),
  ...more,
});

const numbersOf = async ({ db }: Ctx, organizationId: string) =>
  (await db.select({ number: tickets.number }).from(tickets).where(eq(tickets.organization_id, organizationId))).map(
    ({ number }) => number,
  );

test("a client's ticket is stored with number, history, audit and live events", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const { ctx, actor } = client(dana);
  const opened = await openTicket(ctx, actor, input(here.id));
  if (!opened.ok) throw new Error(opened.code);
  const { id, number } = opened.value;
  expect(number).toBeGreaterThan(1000);
  expect(await ticketRow(base, id)).toMatchObject({
    number,
    status: "open",
    created_by: dana.id,
    creator_name: "Dana Ortiz",
    opened_by: null,
    viewers: `~${dana.id}.`,
  });
  expect(await historyOf(base, id)).toEqual([["opened", null, "open", "Dana Ortiz"]]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(audit).toMatchObject([{ action: "ticket.opened", actor_name: "Dana Ortiz", org_id: here.id }]);
  const live = await base.db.select().from(liveEvents).where(eq(liveEvents.subject_id, id));
  expect(live.map(({ audience, label }) => [audience, label]).sort()).toEqual([
    [`org:${here.id}`, `T-${number}`],
    ["staff", `T-${number}: New ticket`],
  ]);
  expect(base.notified).toEqual(expect.arrayContaining(["staff", `org:${here.id}`]));
});

test("one form sent twenty times at once opens one ticket, and all twenty are led to it", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const { ctx, actor } = client(dana);
  const form = input(here.id);
  const opened = await Promise.all(Array.from({ length: 20 }, () => openTicket(ctx, actor, form)));
  expect(new Set(opened.map((result) => (result.ok ? result.value.id : result.code))).size).toBe(1);
  expect(await numbersOf(base, here.id)).toHaveLength(1);
});

test("twenty tickets opened at once get twenty numbers without a gap", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const { ctx, actor } = client(dana);
  await Promise.all(Array.from({ length: 20 }, () => openTicket(ctx, actor, input(here.id))));
  const numbers = await numbersOf(base, here.id);
  expect(new Set(numbers).size).toBe(20);
  expect(Math.max(...numbers) - Math.min(...numbers)).toBe(19);
});

test("a client cannot open a ticket in an organization that is not theirs, nor once they were suspended", async () => {
  const { base, here, there, dana, client } = await ticketWorld();
  const { ctx, actor } = client(dana);
  expect(await openTicket(ctx, actor, input(there.id))).toEqual(fail("organization_not_found"));
  const suspended = interruptedBeforeCommit(ctx, () =>
    base.db
      .update(organizationMemberships)
      .set({ status: "suspended" })
      .where(eq(organizationMemberships.user_id, dana.id)),
  );
  expect(await openTicket(suspended, actor, input(here.id))).toEqual(fail("person_not_found"));
  expect([...(await numbersOf(base, here.id)), ...(await numbersOf(base, there.id))]).toEqual([]);
});

test("staff open a ticket for a member of the organization, and for nobody else", async () => {
  const { base, here, dana, omar, ivy, sam, staff } = await ticketWorld();
  const { ctx, actor } = staff(sam);
  expect(await openTicket(ctx, actor, input(here.id))).toEqual(fail("person_not_found"));
  expect(await openTicket(ctx, actor, input(here.id, { requester: { userId: ivy.id } }))).toEqual(
    fail("person_not_found"),
  );
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, omar.id));
  expect(await openTicket(ctx, actor, input(here.id, { requester: { userId: omar.id } }))).toEqual(
    fail("person_not_found"),
  );
  const opened = await openTicket(ctx, actor, input(here.id, { requester: { userId: dana.id } }));
  if (!opened.ok) throw new Error(opened.code);
  const row = await ticketRow(base, opened.value.id);
  expect(row).toMatchObject({ created_by: dana.id, creator_name: "Dana Ortiz", opened_by: sam.id });
});

test("whoever works here no longer once the files have arrived opens no ticket for a client", async () => {
  const { base, here, dana, sam, staff } = await ticketWorld();
  const { ctx, actor } = staff(sam);
  await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.id));
  expect(await openTicket(ctx, actor, input(here.id, { requester: { userId: dana.id } }))).toEqual(
    fail("organization_not_found"),
  );
  expect(await numbersOf(base, here.id)).toEqual([]);
});

test("a ticket is found by the number it was given", async () => {
  const { base, here, dana, client } = await ticketWorld();
  const { ctx, actor } = client(dana);
  const opened = await openTicket(ctx, actor, input(here.id));
  if (!opened.ok) throw new Error(opened.code);
  const found = await base.db.all(sql`
    SELECT rowid FROM ticket_search WHERE ticket_search MATCH ${`"t-${opened.value.number}"`}`);
  expect(found).toEqual([{ rowid: opened.value.number }]);
});
