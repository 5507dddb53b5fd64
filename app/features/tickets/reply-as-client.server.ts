import { sql } from "drizzle-orm";
import { type Db, expectThat, type Statement } from "~/db/client.server";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketPeople } from "~/db/schema/tickets";
import { checkFileRoom } from "~/features/attachments/file-quota.server";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import type { NamedContact } from "~/features/contacts/commands.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { discardDraftStatement, messageStatements } from "~/features/conversation/messages.server";
import { fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { holds, type TicketClient, viewerOf } from "./access.server";
import { changeTicket, slaEventsOf, statusColumns, type TicketChange } from "./change-ticket.server";
import { hasConflict } from "./conflict.server";
import { TICKET_STATUS_LABELS } from "./labels";
import { canBeReopened, isActive, mayChangeAsClient, TITLE_LIMIT, type TicketActor, type TicketStatus } from "./model";
import {
  type FromMail,
  findOpened,
  insertTicket,
  type Requester,
  readOpeningContext,
} from "./opening/open-ticket.server";
import { findTicketForClient, findTicketForContact, findTicketForStaff, type StoredTicket } from "./queries.server";
import { slaStateOf } from "./sla/clock";
import { voteStatement } from "./solved/questions.server";
import { rememberBefore } from "./undo-reply.server";

/** Describes somebody without an account, who answers by mail only. `isNew`: known from this reply on. */
type TicketContact = { contactId: string; fullName: string; isNew?: NamedContact };

type ClientReply = {
  ticketId: string;
  text: string;
  files?: readonly StoredFile[];
  /** Counts the public messages when the reply was begun; absent: whatever was written meanwhile, the reply is sent. */
  baseMessage?: number;
  /**
   * Says that it answers the question whether the ticket is solved: it is still broken. `endedAt`: when it ended, as
   * the page showed; null: it had not. Whoever may change the ticket gives their vote with it.
   */
  stillBroken?: { endedAt: Instant | null };
  /** Says that it came by mail: it has the time of its receipt, and cannot be taken back. */
  mail?: FromMail;
  nonce: string;
};

/** Says where the text is: as a message of the ticket, or as the description of the ticket that goes on from it. */
export type ClientReplied =
  | { kind: "message"; messageId: string }
  | { kind: "follow_up"; ticket: { id: string; number: number } };

export const endOf = ({ status, resolvedAt, closedAt }: Pick<StoredTicket, "status" | "resolvedAt" | "closedAt">) =>
  isActive(status) ? null : (resolvedAt ?? closedAt);

/**
 * Writes what a client answers. A ticket that waits for them, or was resolved or closed lately, is open again; one that
 * ended longer ago stays as it is, and the text becomes a new ticket that goes on from it. A message can be taken back
 * for some seconds, unless it is an answer to the question whether the ticket is solved, which can be changed instead.
 */
export async function replyAsClient(
  ctx: Ctx,
  actor: TicketClient | TicketContact,
  reply: ClientReply,
): Promise<Result<ClientReplied, "ticket_not_found" | "conflict">> {
  const client = "membership" in actor ? actor : null;
  const by: TicketActor = {
    ...("membership" in actor ? {} : { contactId: actor.contactId }),
    userId: client?.userId ?? null,
    fullName: actor.fullName,
    side: "client",
  };
  const { ticketId, text, files, baseMessage, stillBroken, mail, nonce } = reply;
  const now = mail?.receivedAt ?? ctx.now();
  const messageId = ctx.newId("msg");
  const findOwn = () =>
    mail?.join
      ? findTicketForStaff(ctx.db, ticketId)
      : "membership" in actor
        ? findTicketForClient(ctx.db, ticketId, viewerOf(actor))
        : findTicketForContact(ctx.db, ticketId, actor.contactId);
  let happenedSince: Instant = now;
  const find = async () => {
    const [ticket, isWaiting, since] = await Promise.all([
      findOwn(),
      mail ? holds(ctx.db, mail.isWaiting) : true,
      mail ? readClockSince(ctx.db, ticketId, now) : now,
    ]);
    happenedSince = since;
    return isWaiting ? ticket : null;
  };
  const replied = await changeTicket<"conflict" | "ended_long_ago">(ctx, by, {
    find,
    scope: "ticket-reply",
    key: nonce,
    resultId: messageId,
    isLimited: mail === undefined,
    plan: async (ticket) => {
      const moves = mail?.isFromPerson !== false;
      if (moves && !isActive(ticket.status) && !canBeReopened(ticket, now)) return fail("ended_long_ago");
      const base = { baseMessage: baseMessage ?? ticket.publicMessages, by: by.userId ?? "" };
      if (await hasConflict(ctx.db, ticket, base)) return fail("conflict");
      const endedAt = endOf(ticket);
      // Nobody says that of a solution which they have not seen.
      if (stillBroken && endedAt !== null && endedAt !== stillBroken.endedAt) return fail("conflict");
      await checkFileRoom(ctx, by, { organizationId: ticket.organization.id, files });
      const message = { id: messageId, text, files };
      const clockAt = Math.max(happenedSince, lastCounted(ticket));
      const change = clientReplyChange({ ...ctx, now: () => now }, by, { ticket, message, moves, clockAt });
      if (mail || !client) {
        return ok(mail ? withMail(ctx.db, mail, { change, ticket, messageId, moves }) : change);
      }
      const { userId } = client;
      const who = { userId, role: client.membership.role };
      const isVote = stillBroken && endedAt !== null && mayChangeAsClient(who, { createdBy: ticket.creator.id });
      if (!isVote) {
        const remembered = rememberBefore(ctx, { ticket, messageId, userId, key: nonce });
        return ok({ ...change, statements: [remembered, ...(change.statements ?? [])] });
      }
      const vote = { ticket, userId, isSolved: false, comment: text, at: ctx.now() };
      return ok({
        ...change,
        statements: [...(change.statements ?? []), voteStatement(ctx.db, vote)],
        events: [...(change.events ?? []), { kind: "vote", to: "broken" }],
      });
    },
  });
  if (replied.ok) return ok({ kind: "message", messageId: replied.value });
  if (replied.code !== "ended_long_ago") return fail(replied.code);
  const former = await find();
  const isNew = "membership" in actor ? undefined : actor.isNew;
  return former ? openFollowUp(ctx, by, { former, reply, isNew }) : fail("ticket_not_found");
}

/** Returns when the clock of a ticket last counted something, as far as its state tells. */
function lastCounted({ sla, priority }: StoredTicket): Instant {
  const { running, resolution } = slaStateOf(sla.json, priority);
  return Math.max(
    0,
    ...[running, resolution].flatMap((target) =>
      target ? [target.startedAt, target.pausedSince ?? 0, target.recounted?.at ?? 0] : [],
    ),
  );
}

/** The clock does not run backwards: what it has counted since a mail arrived was before it. */
async function readClockSince(db: Db, ticketId: string, receivedAt: Instant): Promise<Instant> {
  const [row] = await db.all<{ at: Instant | null }>(sql`
    SELECT max(at) AS at FROM (
      SELECT max(m.created_at) AS at FROM ticket_messages m
      WHERE m.ticket_id = ${ticketId} AND ${isPublic()} AND m.created_at > ${receivedAt}
      UNION ALL
      SELECT max(e.at) FROM ticket_events e
      WHERE e.ticket_id = ${ticketId} AND e.at > ${receivedAt} AND e.kind IN ('status', 'priority', 'moved'))`);
  return Math.max(receivedAt, row?.at ?? 0);
}

type MailedChange = { change: TicketChange; ticket: StoredTicket; messageId: string; moves: boolean };

/** Puts the sender on the ticket first, if they are not, and records last what became of the mail. */
function withMail(db: Db, mail: FromMail, { change, ticket, messageId, moves }: MailedChange): TicketChange {
  const joined = mail.join?.({ id: ticket.id, organizationId: ticket.organization.id });
  const effect = moves && !isActive(ticket.status) ? "reopened" : "replied";
  return {
    ...change,
    events: [...(joined?.events ?? []), ...(change.events ?? [])],
    audit: [...(joined?.audit ?? []), ...change.audit],
    statements: [
      expectThat(db, mail.isWaiting),
      ...(joined?.statements ?? []),
      ...(change.statements ?? []),
      ...mail.record({ ticketId: ticket.id, messageId, effect }),
    ],
  };
}

type Planned = {
  ticket: StoredTicket;
  message: { id: string; text: string; files?: readonly StoredFile[] };
  /** Tells whether it opens the ticket again and starts its clock; false: it is only written down. */
  moves?: boolean;
  /** When it counts for the clock; absent: when it is written. */
  clockAt?: Instant;
};

export function clientReplyChange(
  ctx: Ctx,
  by: TicketActor,
  { ticket, message, moves: mayMove = true, clockAt: at = ctx.now() }: Planned,
): TicketChange {
  const to: TicketStatus = ticket.status === "in_progress" ? "in_progress" : "open";
  const moves = mayMove && to !== ticket.status;
  const { id: ticketId, organization, status } = ticket;
  return {
    set: moves ? statusColumns(ticket, { to, at }) : {},
    sla: mayMove
      ? [...(moves ? slaEventsOf(status, { to, at, by: by.side }) : []), { type: "client-message", at }]
      : [],
    events: moves ? [{ kind: "status", from: status, to }] : [],
    statements: messageStatements(ctx, by, { ...message, ticketId, organizationId: organization.id }),
    audit: [
      { action: "ticket.replied", meta: { message: message.id } },
      ...(moves ? [{ action: "ticket.status_changed" as const, meta: { from: status, to } }] : []),
    ],
    notification: {
      message: { id: message.id, text: message.text, isInternal: false },
      ...(moves ? { statusBefore: status } : {}),
    },
    label: moves ? `New reply, now ${TICKET_STATUS_LABELS[to]}` : "New reply",
  };
}

/**
 * Opens the ticket that goes on from another one. It is that of whose the former one was, as long as they belong to the
 * organization, and has its people and addresses; whoever wrote is on it too.
 */
async function openFollowUp(
  ctx: Ctx,
  by: TicketActor,
  { former, reply, isNew }: { former: StoredTicket; reply: ClientReply; isNew?: NamedContact },
): Promise<Result<ClientReplied, "ticket_not_found">> {
  const { organization, creator, contact } = former;
  const title = `Follow-up of ${referenceNumber("ticket", former.number)}: ${former.title}`;
  const formerRequester: Requester = contact ? { contactId: contact.id } : { userId: creator.id ?? "" };
  const stays = await readOpeningContext(ctx.db, { organizationId: organization.id, requester: formerRequester });
  const writer: Requester = isNew
    ? { contact: isNew }
    : by.contactId
      ? { contactId: by.contactId }
      : { userId: by.userId ?? "" };
  const author = isNew && !stays.ok ? { ...by, contactId: undefined } : by;
  const opened = await insertTicket(ctx, author, {
    organizationId: organization.id,
    title: [...title].slice(0, TITLE_LIMIT).join(""),
    description: reply.text,
    priority: former.priority,
    category: former.category,
    impact: former.impact,
    files: reply.files,
    isPrivate: former.isPrivate,
    followUpOf: former.id,
    nonce: reply.nonce,
    requester: stays.ok ? formerRequester : writer,
    mail: reply.mail,
    extra: (ticket) => [
      ...carryPeople(ctx, { former, ticket, by }),
      ...(reply.mail?.join?.(ticket).statements ?? []),
      ...(reply.mail?.record({ ticketId: ticket.id, messageId: null, effect: "follow_up" }) ?? []),
      discardDraftStatement(ctx.db, { ticketId: former.id, userId: by.userId ?? "", kind: "reply" }),
    ],
  });
  const ticket = opened.ok ? await findOpened(ctx.db, opened.value) : opened;
  return ticket.ok ? ok({ kind: "follow_up", ticket: ticket.value }) : fail("ticket_not_found");
}

type Carried = { former: StoredTicket; ticket: { id: string; organizationId: string }; by: TicketActor };

/** Whoever has an account now is no address in cc any more. */
function carryPeople({ db, now }: Pick<Ctx, "db" | "now">, { former, ticket, by }: Carried): Statement[] {
  const { id, organizationId } = ticket;
  const members = sql`organization_memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND m.status = 'active'`;
  return [
    db
      .insert(ticketPeople)
      .select(sql`
        SELECT DISTINCT ${organizationId}, ${id}, u.id, ${by.userId}, ${now()}
        FROM ${members} AND u.id IN (SELECT user_id FROM ticket_people WHERE ticket_id = ${former.id}
            UNION SELECT created_by FROM support_tickets WHERE id = ${former.id} UNION SELECT ${by.userId})
          AND u.id IS NOT (SELECT created_by FROM support_tickets WHERE id = ${id})`)
      .onConflictDoNothing(),
    // Every column in its order, as an insert from a query has them.
    db
      .insert(ticketCopies)
      .select(sql`
        SELECT 'cpy_' || lower(hex(randomblob(13))), ${organizationId}, ${id}, c.email, c.contact_id, NULL, c.added_by,
          ${now()}, NULL, c.stopped_mailbox
        FROM ticket_copies c WHERE c.ticket_id = ${former.id} AND c.removed_at IS NULL
          AND c.email NOT IN (SELECT u.email FROM ${members} AND u.email = c.email)`)
      .onConflictDoNothing(),
  ];
}
