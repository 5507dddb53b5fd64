import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, expectRow, type Statement } from "~/db/client.server";
import { notifications } from "~/db/schema/notifications";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { allowanceEntries, undoableReplies } from "~/db/schema/ticket-work";
import { solvedQuestions, ticketDrafts, ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import { deleteOrphans } from "~/features/attachments/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { SentElsewhere } from "~/features/conversation/model";
import { UNDO_WINDOW } from "~/features/notifications/model";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import { referenceNumber } from "~/lib/ids";
import { clockIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { forgetResults, type Planned, runCommand } from "~/platform/run-command.server";
import { stillBelongs } from "./access.server";
import { afterTicketChange, liveStatements } from "./change-ticket.server";
import { ticketSubject } from "./paths";
import { findTicketForStaff, type StoredTicket } from "./queries.server";

const columnsOf = (ticket: StoredTicket) => ({
  status: ticket.status,
  assigned_to: ticket.assignee?.id ?? null,
  resolution: ticket.resolution,
  resolved_at: ticket.resolvedAt,
  closed_at: ticket.closedAt,
  waiting_since: ticket.waitingSince,
  reminded_at: ticket.remindedAt,
  promise_json: ticket.sla.json,
  due_at: ticket.sla.dueAt,
  warn_at: ticket.sla.warnAt,
  miss_at: ticket.sla.missAt,
  public_messages: ticket.publicMessages,
  last_message_at: ticket.lastMessageAt,
});

/** Holds what is remembered of a reply: the ticket before it, and what the keys begin with that it was sent by. */
type Remembered = { ticket: ReturnType<typeof columnsOf>; key: string };

/** Returns the statement that remembers how a ticket was before a reply. It precedes all that the reply leads to. */
export const rememberBefore = (
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticket, messageId, userId, key }: { ticket: StoredTicket; messageId: string; userId: string; key: string },
): Statement => {
  const remembered: Remembered = { ticket: columnsOf(ticket), key };
  // Every column in its order, as an insert from a query has them.
  return db.insert(undoableReplies).select(sql`
    SELECT ${messageId}, ${ticket.organization.id}, ${ticket.id}, ${userId}, ${now()}, ${ticket.version + 1},
      ${JSON.stringify(remembered)}, coalesce((SELECT max(rowid) FROM ticket_events), 0),
      coalesce((SELECT max(seq) FROM notifications), 0), coalesce((SELECT max(rowid) FROM mail_events), 0)`);
};

type Undoable = typeof undoableReplies.$inferSelect;

export async function findUndoable(
  db: Db,
  {
    ticket: { id, version },
    userId,
    now,
  }: { ticket: Pick<StoredTicket, "id" | "version">; userId: string; now: Instant },
): Promise<Undoable | null> {
  const [found] = await db
    .select()
    .from(undoableReplies)
    .where(sql`ticket_id = ${id} AND user_id = ${userId} AND version = ${version} AND sent_at > ${now - UNDO_WINDOW}`)
    .limit(1);
  return found ?? null;
}

/** Finds the reply that somebody has sent last and can take back, wherever they went on to. */
export async function findSentBefore(
  ctx: Pick<Ctx, "db" | "now">,
  userId: string,
  pathOf: (reference: string) => string,
): Promise<SentElsewhere | null> {
  const [sent] = await ctx.db.all<Pick<Undoable, "message_id" | "sent_at"> & { number: number }>(sql`
    SELECT u.message_id, u.sent_at, t.number FROM undoable_replies u
    JOIN support_tickets t ON t.id = u.ticket_id AND t.version = u.version
    WHERE u.user_id = ${userId} AND u.sent_at > ${ctx.now() - UNDO_WINDOW} ORDER BY u.sent_at DESC LIMIT 1`);
  if (!sent) return null;
  const { timeZone: zone } = await getSettings(ctx.db);
  const undoable = shownUndoable(sent, { zone, now: ctx.now() });
  const reference = referenceNumber("ticket", sent.number);
  return { reference, path: pathOf(reference), undoable };
}

export const shownUndoable = <Found extends Pick<Undoable, "message_id" | "sent_at"> | null>(
  undoable: Found,
  { zone, now }: { zone: string; now: Instant },
) =>
  undoable && {
    id: undoable.message_id,
    left: undoable.sent_at + UNDO_WINDOW - now,
    until: clockIn(zone, undoable.sent_at + UNDO_WINDOW, { withSeconds: true }),
  };

type Undo = {
  ticketId: string;
  messageId: string;
  nonce: string;
  /** Finds the ticket, if its author may see it; missing: they are staff. */
  find?: () => Promise<StoredTicket | null>;
};

type UndoError = "ticket_not_found" | "too_late";

/**
 * Takes a reply back before its mail leaves: the ticket is as it was before, and what was written is its author's draft
 * again; files have to be chosen again, and count as sent. It is too late when the window is over, or when something
 * else has happened to the ticket since.
 */
export async function undoReply(
  ctx: Ctx,
  { userId }: { userId: string },
  { ticketId, messageId, nonce, find }: Undo,
): Promise<Result<null, UndoError>> {
  const { db } = ctx;
  const side = find ? "client" : "staff";
  const undone = await runCommand(
    ctx,
    // A page that could not be read again has the same token for the next reply.
    { scope: "ticket-undo", key: `${nonce}:${messageId}` },
    {
      read: () => find?.() ?? findTicketForStaff(db, ticketId),
      plan: async (ticket): Promise<Planned<UndoError>> => {
        if (!ticket) return fail("ticket_not_found");
        const [undoable, files] = await Promise.all([
          findUndoable(db, { ticket, userId, now: ctx.now() }),
          db.all<{ key: string }>(
            sql`SELECT r2_key AS key FROM attachments WHERE ${ofTicket(ticket.id)} AND message_id = ${messageId}`,
          ),
        ]);
        if (undoable?.message_id !== messageId) return fail("too_late");
        const { organization, id, isPrivate } = ticket;
        const hasLeft = sql`EXISTS (SELECT 1 FROM mail_events e JOIN outbox o ON o.id = e.outbox_id
          WHERE e.rowid > ${undoable.last_mail_event} AND ${ofTicket(id, "o.")} AND o.status <> 'pending'
            AND e.event <> 'mentioned')`;
        return ok({
          resultId: messageId,
          expects: [
            { that: stillBelongs({ userId, fullName: "", side }, organization.id), otherwise: "ticket_not_found" },
            { that: sql`NOT ${hasLeft}`, otherwise: "too_late" },
          ],
          statements: [
            expectRow(db, tickets, sql`${tickets.id} = ${id} AND ${tickets.version} = ${undoable.version}`),
            ...undoStatements(ctx, undoable),
            recordAudit(ctx, "ticket.reply_undone", {
              subject: ticketSubject(ticket),
              orgId: organization.id,
              meta: { message: messageId },
            }),
            ...liveStatements(ctx, { id, organizationId: organization.id, label: "Reply taken back", isPrivate }),
          ],
          after: () => {
            afterTicketChange(ctx, organization.id);
            ctx.after(
              deleteOrphans(
                ctx,
                files.map((file) => file.key),
              ),
            );
          },
        });
      },
    },
  );
  return undone.ok ? ok(null) : undone;
}

const ofTicket = (id: string, alias = ""): SQL =>
  sql`${sql.raw(alias)}subject_type = 'ticket' AND ${sql.raw(alias)}subject_id = ${id}`;

function undoStatements({ db, now }: Pick<Ctx, "db" | "now">, undoable: Undoable): Statement[] {
  const { ticket_id: id, message_id: messageId, before_json } = undoable;
  const { ticket: before, key } = JSON.parse(before_json) as Remembered;
  const waiting = sql`${ofTicket(id)} AND params_enc = ''`;
  // A note that a colleague has written since changes no version, and stays with whom it names.
  const notOfNote = sql`event <> 'mentioned'`;
  return [
    // First, because message and history go.
    restoreDraft({ db, now }, undoable, before.public_messages),
    db.delete(attachments).where(sql`${ofTicket(id)} AND message_id = ${messageId}`),
    db.delete(ticketMessages).where(eq(ticketMessages.id, messageId)),
    db.delete(ticketEvents).where(sql`ticket_id = ${id} AND rowid > ${undoable.last_event}`),
    db.delete(notifications).where(sql`${ofTicket(id)} AND seq > ${undoable.last_notification} AND ${notOfNote}`),
    db
      .delete(mailEvents)
      .where(
        sql`rowid > ${undoable.last_mail_event} AND outbox_id IN (SELECT id FROM outbox WHERE ${waiting}) AND ${notOfNote}`,
      ),
    // A client's reply at night may have been an incident.
    db
      .delete(allowanceEntries)
      .where(sql`ticket_id = ${id} AND kind = 'after_hours' AND reversed_at IS NULL AND at >= ${undoable.sent_at}`),
    // Who was asked has a mail that waits.
    db.delete(solvedQuestions).where(sql`user_id IN (SELECT user_id FROM outbox WHERE ${waiting}) AND ticket_id = ${id}
        AND asked_at >= ${undoable.sent_at}`),
    db.delete(outbox).where(sql`${waiting} AND kind IN ('ticket-update', 'ticket-copy') AND status = 'pending'
        AND NOT EXISTS (SELECT 1 FROM mail_events e WHERE e.outbox_id = outbox.id)`),
    db
      .update(tickets)
      .set({ ...before, updated_at: now(), version: sql`${tickets.version} + 1` })
      .where(eq(tickets.id, id)),
    db.delete(undoableReplies).where(eq(undoableReplies.message_id, messageId)),
    // A page that still has the token of the form sends it again: it is not taken for sent any more.
    forgetResults(db, key),
  ];
}

/** Returns the statement that makes a reply its author's draft again, above what they have begun since. */
function restoreDraft(
  { db, now }: Pick<Ctx, "db" | "now">,
  { organization_id: organizationId, ticket_id: id, message_id: messageId, user_id: userId, last_event }: Undoable,
  publicMessages: number,
): Statement {
  const t = ticketDrafts;
  const saidBeside = (event: SQL): SQL => sql`coalesce((SELECT reason FROM ticket_events
    WHERE ticket_id = ${id} AND rowid > ${last_event} AND ${event} LIMIT 1), '')`;
  const above = ({ name }: { name: string }): SQL => {
    const column = sql.identifier(name);
    return sql`trim(excluded.${column} || char(10) || char(10) || ${t}.${column}, char(10))`;
  };
  return db
    .insert(t)
    .select(sql`
      SELECT ${organizationId}, ${id}, ${userId}, 'reply', message, ${publicMessages}, ${now()}, why_late, what_was_done, not_to
      FROM (SELECT coalesce((SELECT message FROM ticket_messages WHERE id = ${messageId}), '') AS message,
          ${saidBeside(sql`kind = 'late_explained'`)} AS why_late,
          ${saidBeside(sql`kind = 'status' AND to_value = 'resolved'`)} AS what_was_done,
          coalesce((SELECT not_to FROM ticket_messages WHERE id = ${messageId}), '[]') AS not_to)
      WHERE message || why_late || what_was_done <> ''`)
    .onConflictDoUpdate({
      target: [t.ticket_id, t.user_id, t.kind],
      set: {
        message: above(t.message),
        why_late: above(t.why_late),
        what_was_done: above(t.what_was_done),
        not_to: sql`(SELECT json_group_array(value) FROM (SELECT value FROM json_each(excluded.not_to)
          UNION SELECT value FROM json_each(${t.not_to})))`,
        // What was written meanwhile is not counted any more.
        begun_at_message: sql`min(excluded.begun_at_message, ${t.begun_at_message})`,
        updated_at: now(),
      },
    });
}
