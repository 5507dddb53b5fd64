import { asc, eq, sql } from "drizzle-orm";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import type { MemberActor, StaffActor } from "~/features/auth/guards.server";
import {
  assignTicket,
  changeStatus,
  changeStatusAsClient,
  moveToOrganization,
} from "~/features/tickets/commands.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { asStaff, type TicketPriority, type TicketStatus } from "~/features/tickets/model";
import { type NewTicket, openTicket } from "~/features/tickets/opening/open-ticket.server";
import { ticketSearchText } from "~/features/tickets/queries.server";
import { replyAsClient } from "~/features/tickets/reply-as-client.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import type { Result } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { type TestContext, testContext } from "./context";
import { as, makeMember, makeOrganization, makePerson, memberOf, type Person, signedInAs, together } from "./factories";
import { interruptedBeforeCommit } from "./interrupted-commit";
import { newForm } from "./requests";

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
  const client = (person: Person, organization = here, role: "member" | "admin" | "owner" = "member") =>
    clientCommands(as(base, person), memberOf(base, person, organization, role));
  const staff = (person: Person) => staffOf(base, person);
  return { base, here, there, dana, omar, ivy, avery, sam, client, staff };
}

/** Returns that world with a ticket of Dana's in it. */
export async function worldWithTicket(options: Partial<TicketOptions> = {}) {
  const world = await ticketWorld();
  const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, ...options });
  return { ...world, ticket };
}

/** Returns the value of a command that has to succeed. */
export function valueOf<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

const newTicket = (organizationId: string, changes: Partial<NewTicket>): NewTicket => ({
  ...{ organizationId, title: "Printer offline", description: "It blinks.", priority: "high", category: null },
  ...{ impact: null, nonce: newForm(), ...changes },
});

/** Returns what a client does with tickets. Each call is a form of its own, unless it says which. */
function clientCommands(ctx: TestContext, actor: MemberActor) {
  return {
    ctx,
    actor,
    open: (changes: Partial<NewTicket> = {}, organizationId = actor.membership.organizationId) =>
      openTicket(ctx, actor, newTicket(organizationId, changes)),
    reply: (ticketId: string, text = "It still blinks.", nonce = newForm()) =>
      replyAsClient(ctx, actor, { ticketId, text, nonce }),
    move: (ticketId: string, move: "solved" | "close" | "reopen", message: string | null = null, nonce = newForm()) =>
      changeStatusAsClient(ctx, actor, { ticketId, move, message, nonce }),
    /** Returns the same person, whose next change meets what somebody else does just before it is stored. */
    interruptedBy: (work: () => Promise<unknown>) => clientCommands(interruptedBeforeCommit(ctx, work), actor),
  };
}

/** Returns what somebody who works here does with tickets. */
export const staffOf = (ctx: TestContext, person: Person) =>
  staffCommands(as(ctx, person), signedInAs(person, ctx.now()) as StaffActor);

/** Returns what a member of staff does with tickets. Each call is a form of its own, unless it says which. */
function staffCommands(ctx: TestContext, actor: StaffActor) {
  const by = asStaff(actor);
  const reply = { text: "Please restart it.", effect: "send", baseMessage: 0 } as const;
  return {
    ctx,
    actor,
    by,
    open: (organizationId: string, changes: Partial<NewTicket> = {}) =>
      openTicket(ctx, actor, newTicket(organizationId, changes)),
    reply: (ticketId: string, changes: Partial<Parameters<typeof replyAsStaff>[2]> = {}) =>
      replyAsStaff(ctx, actor, { ...reply, ticketId, nonce: newForm(), ...changes }),
    undo: (ticketId: string, messageId: string, nonce = newForm()) =>
      undoReply(ctx, actor, { ticketId, messageId, nonce }),
    note: (ticketId: string, text: string, nonce = newForm()) => addInternalNote(ctx, actor, { ticketId, text, nonce }),
    setStatus: (ticketId: string, status: TicketStatus, nonce = newForm()) =>
      changeStatus(ctx, by, { ticketId, status, nonce }),
    assign: (ticketId: string, assigneeId: string | null, nonce = newForm()) =>
      assignTicket(ctx, by, { ticketId, assigneeId, nonce }),
    moveTo: (ticketId: string, organizationId: string, nonce = newForm()) =>
      moveToOrganization(ctx, by, { ticketId, organizationId, nonce }),
    /** Returns the same person, whose next change meets what somebody else does just before it is stored. */
    interruptedBy: (work: () => Promise<unknown>) => staffCommands(interruptedBeforeCommit(ctx, work), actor),
  };
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
