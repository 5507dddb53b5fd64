import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { ticketPeople } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { TicketActor } from "~/features/tickets/model";
import { notifyOfTicket, type TicketNotification } from "~/features/tickets/notify-ticket.server";
import { minutes } from "~/lib/time";
import { type TestContext, testContext } from "./context";
import { makeMember, makeOrganization, makePerson, type Person } from "./factories";
import { makeMessage, makeTicket } from "./tickets";

export type TicketWithPeople = Awaited<ReturnType<typeof ticketWithPeople>>;

/** Makes a ticket with its people, in a database where nobody else hears of tickets and no mail waits. */
export async function announcementWorld() {
  const ctx = testContext();
  await ctx.db.delete(notifications);
  await ctx.db.delete(outbox);
  await ctx.db.run(sql`DELETE FROM user_roles`);
  return { ctx, world: await ticketWithPeople(ctx) };
}

/** Makes a ticket with its client, a colleague who may be added, and two members of staff, one of whom has it. */
export async function ticketWithPeople(ctx: TestContext, options: Partial<Parameters<typeof makeTicket>[1]> = {}) {
  const organization = await makeOrganization(ctx);
  const [client, colleague] = [await makePerson(ctx), await makePerson(ctx)];
  const [assignee, other] = [
    await makePerson(ctx, { role: "moderator", fullName: "Jordan Vale" }),
    await makePerson(ctx, { role: "admin", fullName: "Avery Quinn" }),
  ];
  await makeMember(ctx, organization.id, client, "member");
  await makeMember(ctx, organization.id, colleague, "member");
  const ticket = await makeTicket(ctx, {
    organizationId: organization.id,
    createdBy: client,
    assignedTo: assignee.id,
    ...options,
  });
  const told: TicketNotification["ticket"] = {
    id: ticket.id,
    organization: { id: organization.id, name: "Larkspur Row" },
    priority: options.priority ?? "medium",
    status: options.status ?? "open",
    creator: { id: client.id, name: client.fullName },
    assignee: { id: assignee.id, name: assignee.fullName },
    isPrivate: options.isPrivate ?? false,
  };
  const add = (person: Person) =>
    ctx.db
      .insert(ticketPeople)
      .values({ organization_id: organization.id, ticket_id: ticket.id, user_id: person.id, added_at: ctx.now() });
  /** Announces in a batch of its own. */
  const announce = async (
    actor: TicketActor,
    notification: Omit<TicketNotification, "ticket" | "actor">,
    status = told.status,
  ) => commit(ctx.db, await notifyOfTicket(ctx, { ...notification, actor, ticket: { ...told, status } }));
  /** Writes a message and announces it. */
  const write = async (actor: TicketActor, text: string, isInternal = false) => {
    const side = actor.side === "client" ? "client" : "staff";
    const author = { user_id: actor.userId, author_name: actor.fullName, side } as const;
    const id = await makeMessage(ctx, ticket.id, { ...author, is_internal: isInternal, message: text });
    await announce(actor, { message: { id, text, isInternal } });
    return id;
  };
  return { organization, client, colleague, assignee, other, ticket, told, add, announce, write };
}

export const asClient = ({ id: userId, fullName }: Person): TicketActor => ({ userId, fullName, side: "client" });
export const asStaff = ({ id: userId, fullName }: Person): TicketActor => ({ userId, fullName, side: "staff" });

/** Lists what people were told in the product: person, event and label, in order. */
export const notifiedInProduct = async (ctx: TestContext) =>
  (
    await ctx.db.all<{ who: string; event: string; label: string }>(sql`
      SELECT user_id AS who, event, label FROM notifications ORDER BY seq`)
  ).map(({ who, event, label }) => [who, event, label] as const);

/** Sends the mails that were collected, and returns them. */
export async function collectedMails(ctx: TestContext) {
  ctx.clock.advance(minutes(2));
  ctx.sent.length = 0;
  await deliverOutbox(ctx);
  return ctx.sent;
}
