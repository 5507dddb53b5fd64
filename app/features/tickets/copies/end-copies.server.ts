import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { ticketCopies } from "~/db/schema/ticket-copies";
import type { Ctx } from "~/platform/context.server";

/** Returns the statements that end all copies of a ticket, or those to one address. */
export function endCopies({ db, now }: Pick<Ctx, "db" | "now">, ticketId: string, copyId?: string): Statement[] {
  const ofTicket = eq(ticketCopies.ticket_id, ticketId);
  const ended: SQL | undefined = copyId ? and(ofTicket, eq(ticketCopies.id, copyId)) : ofTicket;
  return [
    db.delete(ticketCopies).where(and(ended, isNull(ticketCopies.stopped_mailbox))),
    // Addresses that asked for no more stay, so that this lasts.
    db
      .update(ticketCopies)
      .set({ removed_at: now() })
      .where(and(ended, isNull(ticketCopies.removed_at))),
  ];
}
