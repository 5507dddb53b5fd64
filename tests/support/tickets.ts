import { asc, eq, sql } from "drizzle-orm";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import type { StaffActor } from "~/features/auth/guards.server";
import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { ticketSearchText } from "~/features/tickets/queries.server";
import type { Ctx } from "~/platform/context.server";
import { testContext } from "./context";
import { as, makeMember, makeOrganization, makePerson, memberOf, type Person, signedInAs, together } from "./factories";

let numbers = 0;

type TicketOptions = {
  organizationId: string;
  organizationName?: string;
  createdBy: { id: string; fullName: string };
  title?: string;
  description?: string;
  status?: TicketStatus;
  priority?: TicketPriority;
  assignedTo?: string;
  isPrivate?: boolean;
  at?: number;
};

/** Stores a ticket without a running promise, for tests that are not about how tickets are opened. */
export async function makeTicket(ctx: Ctx, options: TicketOptions): Promise<{ id: string; number: number }> {
  numbers += 1;
  const id = ctx.newId("tkt");
  const at = options.at ?? ctx.now();
  const { title = "Printer offline", description = "It blinks.", status = "open" } = options;
  const number = 500_000 + numbers;
  await ctx.db.insert(tickets).values({
    id,
    number,
    organization_id: options.organizationId,
    title,
    description,
    status,
    priority: options.priority ?? "medium",
    created_by: options.createdBy.id,
    creator_name: options.createdBy.fullName,
    assigned_to: options.assignedTo ?? null,
    is_private: options.isPrivate ?? false,
    resolved_at: status === "resolved" || status === "closed" ? at : null,
    closed_at: status === "closed" ? at : null,
    waiting_since: status === "waiting_for_customer" ? at : null,
    last_message_at: at,
    promise_json: "{}",
    viewers: `~${options.createdBy.id}.`,
    search_text: ticketSearchText({
      title,
      number,
      description,
      organization: options.organizationName ?? "Larkspur Row",
    }),
    created_at: at,
    updated_at: at,
  });
  return { id, number };
}

/** Stores a message on a ticket, of staff unless it says otherwise. */
export async function makeMessage(
  ctx: Ctx,
  ticketId: string,
  changes: Partial<typeof ticketMessages.$inferInsert> = {},
): Promise<string> {
  const { id = ctx.newId("msg") } = changes;
  await ctx.db.insert(ticketMessages).values({
    organization_id: sql`(SELECT organization_id FROM support_tickets WHERE id = ${ticketId})`,
    ticket_id: ticketId,
    author_name: "Jordan Vale",
    side: "staff",
    message: "Please restart it.",
    created_at: ctx.now(),
    updated_at: ctx.now(),
    ...changes,
    id,
  });
  return id;
}

/** Returns an organization with a member, an admin of it, a stranger's organization and two members of staff. */
export async function ticketWorld() {
  const base = testContext();
  const { here, there, dana, omar, ivy, avery, sam } = await together(base, async (ctx) => {
    const here = await makeOrganization(ctx, "Larkspur Row");
    const there = await makeOrganization(ctx, "Brightsmile");
    const dana = await makePerson(ctx, { fullName: "Dana Ortiz" });
    const omar = await makePerson(ctx, { fullName: "Omar Reyes" });
    const ivy = await makePerson(ctx, { fullName: "Ivy Stone" });
    await makeMember(ctx, here.id, dana, "member");
    await makeMember(ctx, here.id, omar, "member");
    await makeMember(ctx, there.id, ivy, "owner");
    const avery = await makePerson(ctx, { role: "admin", fullName: "Avery Quinn" });
    const sam = await makePerson(ctx, { role: "moderator", fullName: "Sam Lee" });
    return { here, there, dana, omar, ivy, avery, sam };
  });
  const client = (person: Person, organization = here, role: "member" | "admin" | "owner" = "member") => ({
    ctx: as(base, person),
    actor: memberOf(base, person, organization, role),
  });
  const staff = (person: Person) => ({ ctx: as(base, person), actor: signedInAs(person, base.now()) as StaffActor });
  return { base, here, there, dana, omar, ivy, avery, sam, client, staff };
}

/** Returns what tests look at of a ticket's history, the oldest first. */
export const historyOf = async (ctx: Ctx, ticketId: string): Promise<unknown[]> =>
  (await ctx.db.select().from(ticketEvents).where(eq(ticketEvents.ticket_id, ticketId)).orderBy(sql`rowid`)).map(
    ({ kind, from_value, to_value, actor_name }) => [kind, from_value, to_value, actor_name],
  );

/** Returns the texts that were written on a ticket. */
export const textsOf = async (ctx: Ctx, ticketId: string): Promise<string[]> =>
  (
    await ctx.db
      .select({ text: ticketMessages.message })
      .from(ticketMessages)
      .where(eq(ticketMessages.ticket_id, ticketId))
      .orderBy(asc(ticketMessages.created_at), asc(ticketMessages.id))
  ).map(({ text }) => text);

/** Returns the row of a ticket. */
export async function ticketRow(ctx: Ctx, id: string): Promise<typeof tickets.$inferSelect> {
  const [row] = await ctx.db.select().from(tickets).where(eq(tickets.id, id));
  if (!row) throw new Error("There is no such ticket");
  return row;
}

/** Returns what was written on a ticket, and what was done, as its page shows it. */
export const partsOf = <Entry extends { kind: string }>({ thread }: { thread: readonly Entry[] }) => ({
  messages: thread.filter((entry): entry is Extract<Entry, { kind: "message" }> => entry.kind === "message"),
  solutions: thread.filter((entry): entry is Extract<Entry, { kind: "solution" }> => entry.kind === "solution"),
});
