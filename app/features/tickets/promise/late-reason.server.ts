import { type SQL, sql } from "drizzle-orm";

/**
 * Reads why the promise of a ticket that fell due at a time was not kept, as staff said there; the last time counts.
 */
export const lateReason = (ticketId: SQL, dueAt: SQL): SQL => sql`(
  SELECT e.reason FROM ticket_events e INDEXED BY ticket_events_in_order
  WHERE e.ticket_id = ${ticketId} AND e.at > ${dueAt} AND e.kind = 'late_explained'
    AND e.from_value = CAST(${dueAt} AS TEXT)
  ORDER BY e.at DESC, e.id DESC LIMIT 1)`;
