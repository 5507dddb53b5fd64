import { and, eq, isNull } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { ticketCopies } from "~/db/schema/ticket-copies";

/**
 * Returns the statement that ends all copies of a ticket. Addresses that asked for no more stay, so that this lasts.
 */
export const endCopiesOf = (db: Db, ticketId: string): Statement =>
  db.delete(ticketCopies).where(and(eq(ticketCopies.ticket_id, ticketId), isNull(ticketCopies.stopped_at)));
