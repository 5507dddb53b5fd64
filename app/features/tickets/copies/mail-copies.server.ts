import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { BUNDLED_FOR, type NotificationEvent } from "~/features/notifications/model";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

type MailedToCopies = {
  ticketId: string;
  event: NotificationEvent;
  itemId: string;
  detail?: string;
  actorName: string;
  holdUntil?: Instant;
  isUrgent: boolean;
  /** Holds the id of the one copy that is mailed; absent: all of the ticket are. */
  copyId?: string;
};

/**
 * Returns the statements that mail what has happened to the addresses that get copies of a ticket: collected like the
 * mails to people, and of a private ticket to nobody. What they say is read when they leave.
 */
export function mailCopies(ctx: Pick<Ctx, "db" | "now">, mailed: MailedToCopies): Statement[] {
  const { ticketId, event, itemId, detail = "", actorName, holdUntil, isUrgent, copyId } = mailed;
  const now = ctx.now();
  const leavesAt = Math.max(isUrgent ? now : now + BUNDLED_FOR, holdUntil ?? now);
  const copies: SQL = sql`SELECT c.id FROM ticket_copies c JOIN support_tickets t ON t.id = c.ticket_id
    WHERE c.ticket_id = ${ticketId} AND t.is_private = 0 AND c.stopped_mailbox IS NULL
      ${copyId ? sql`AND c.id = ${copyId}` : sql``}`;
  // The plus keeps SQLite from going through every mail that waits.
  const openMail = sql`FROM outbox o WHERE o.copy_id = c.id AND o.kind = 'ticket-copy' AND +o.status = 'pending'
    AND o.params_enc = ''`;
  // Every column in its order, as an insert from a query has them.
  return [
    ctx.db.insert(outbox).select(sql`
      SELECT 'mail_' || lower(hex(randomblob(13))), 'ticket-copy', '', '', NULL, 'ticket', ${ticketId}, 1, 'pending', 0,
        ${leavesAt}, NULL, NULL, NULL, ${now}, NULL, c.id
      FROM (${copies}) c WHERE NOT EXISTS (SELECT 1 ${openMail})`),
    ctx.db
      .insert(mailEvents)
      .select(sql`
      SELECT (SELECT o.id ${openMail} LIMIT 1), ${event}, ${itemId}, ${detail}, ${actorName}, ${now} FROM (${copies}) c
      WHERE true`)
      .onConflictDoNothing(),
    ...(holdUntil
      ? [
          ctx.db
            .update(outbox)
            .set({ next_at: sql`max(${outbox.next_at}, ${holdUntil})` })
            .where(
              sql`${outbox.copy_id} IN (${copies}) AND +${outbox.status} = 'pending' AND ${outbox.params_enc} = ''`,
            ),
        ]
      : []),
  ];
}
