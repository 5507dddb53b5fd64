import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { organizationTexts } from "~/features/organizations/model";
import { visibleToClient } from "~/features/tickets/access.server";
import type { Ctx } from "~/platform/context.server";
import { makeTicket, ticketRow, worldWithTicket } from "../../support/tickets";

const countsOf = async (ctx: Ctx, organizationId: string) => {
  const [row] = await ctx.db.all<Record<string, number>>(sql`
    SELECT o.ticket_count, o.active_ticket_count, c.open, c.resolved
    FROM organizations o LEFT JOIN ticket_counts c ON c.organization_id = o.id WHERE o.id = ${organizationId}`);
  return row;
};

const found = async (ctx: Ctx, text: string) =>
  (
    await ctx.db.all<{ number: number }>(sql`SELECT t.number FROM ticket_search f
      JOIN support_tickets t ON t.opened_rank = f.rowid WHERE ticket_search MATCH ${`"${text}"`}`)
  ).map(({ number }) => number);

test("an organization's tickets are counted as they are opened, resolved, moved and deleted", async () => {
  const { base: ctx, here, there, dana, ticket } = await worldWithTicket();
  await makeTicket(ctx, { organizationId: here.id, createdBy: dana });
  expect(await countsOf(ctx, here.id)).toEqual({ ticket_count: 2, active_ticket_count: 2, open: 2, resolved: 0 });
  const change = (values: Partial<typeof tickets.$inferInsert>) =>
    ctx.db.update(tickets).set(values).where(eq(tickets.id, ticket.id));
  await change({ status: "resolved" });
  expect(await countsOf(ctx, here.id)).toEqual({ ticket_count: 2, active_ticket_count: 1, open: 1, resolved: 1 });
  await change({ organization_id: there.id, status: "open" });
  expect(await countsOf(ctx, here.id)).toEqual({ ticket_count: 1, active_ticket_count: 1, open: 1, resolved: 0 });
  expect(await countsOf(ctx, there.id)).toEqual({ ticket_count: 1, active_ticket_count: 1, open: 1, resolved: 0 });
  await ctx.db.delete(organizations).where(eq(organizations.id, there.id));
  await ctx.db.delete(tickets);
  expect(await countsOf(ctx, here.id)).toEqual({ ticket_count: 0, active_ticket_count: 0, open: 0, resolved: 0 });
  expect(await ctx.db.all(sql`SELECT 1 FROM totals WHERE name LIKE 'ticket.%' AND value <> 0`)).toEqual([]);
});

test("what was written on a ticket moves and goes with it, and cannot belong to another organization", async () => {
  const { base: ctx, here, there, dana, ticket } = await worldWithTicket();
  const message = (organization_id: string) => ({
    ...{ id: ctx.newId("msg"), organization_id, ticket_id: ticket.id, user_id: dana.id, author_name: dana.fullName },
    ...{ side: "client" as const, message: "Still offline", created_at: ctx.now(), updated_at: ctx.now() },
  });
  await expect(ctx.db.insert(ticketMessages).values(message(there.id))).rejects.toThrow();
  await ctx.db.insert(ticketMessages).values(message(here.id));
  await ctx.db.update(tickets).set({ organization_id: there.id }).where(eq(tickets.id, ticket.id));
  expect(await ctx.db.select({ at: ticketMessages.organization_id }).from(ticketMessages)).toEqual([{ at: there.id }]);
  await ctx.db.delete(tickets);
  expect(await ctx.db.select().from(ticketMessages)).toEqual([]);
});

test("a ticket is found by title, number, description and the present name of its organization", async () => {
  const { base: ctx, here, ticket } = await worldWithTicket({ title: "Café Wi-Fi" });
  const { number } = ticket;
  const rename = organizationTexts({ name: "Kestrel Dental", description: "" });
  await ctx.db.update(organizations).set(rename).where(eq(organizations.id, here.id));
  for (const text of ["cafe wi", `t-${number}`, "blinks", "kestrel"]) expect(await found(ctx, text)).toContain(number);
  expect(await found(ctx, "larkspur")).not.toContain(number);
});

test("a private ticket is seen by its creator, the people on it and the organization's admins only", async () => {
  const { base: ctx, here, there, dana, omar, ticket } = await worldWithTicket({ isPrivate: true });
  const sees = async (userId: string, role: "member" | "admin", organizationId = here.id) => {
    const where = visibleToClient({ userId, organizationId, role });
    return (await ctx.db.all(sql`SELECT 1 FROM support_tickets t WHERE t.id = ${ticket.id} AND ${where}`)).length === 1;
  };
  expect(await sees(dana.id, "member")).toBe(true);
  expect(await sees(omar.id, "member")).toBe(false);
  expect(await sees(omar.id, "admin")).toBe(true);
  expect(await sees(omar.id, "admin", there.id)).toBe(false);
  await ctx.db
    .insert(ticketPeople)
    .values({ organization_id: here.id, ticket_id: ticket.id, user_id: omar.id, added_at: ctx.now() });
  expect(await sees(omar.id, "member")).toBe(true);
  await ctx.db.delete(ticketPeople);
  expect(await sees(omar.id, "member")).toBe(false);
  expect(await sees(dana.id, "member")).toBe(true);
});

test("where members see only their own tickets, a shared one of a colleague is hidden from them", async () => {
  const { base: ctx, here, omar, ticket } = await worldWithTicket();
  const where = visibleToClient({ userId: omar.id, organizationId: here.id, role: "member" });
  const seen = async () =>
    (await ctx.db.all(sql`SELECT 1 FROM support_tickets t WHERE t.id = ${ticket.id} AND ${where}`)).length;
  expect(await seen()).toBe(1);
  await ctx.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  expect(await seen()).toBe(0);
});

test("a ticket outlives the account of its creator, with their name", async () => {
  const { base, dana, ticket } = await worldWithTicket();
  await base.db.delete(users).where(eq(users.id, dana.id));
  expect(await ticketRow(base, ticket.id)).toMatchObject({ created_by: null, creator_name: dana.fullName });
});
