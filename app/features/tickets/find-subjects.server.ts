import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { referenceNumber } from "~/lib/reference-number";
import type { FoundSubject } from "~/platform/subjects.server";

/**
 * Finds tickets as subjects, with title and number. Their organization is left out: which of its people may see a
 * ticket depends on more than the organization, and `visibleToClient` decides it. So only staff find tickets here.
 */
export async function findTicketSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string; number: number }>(sql`
    SELECT t.id, t.title AS label, t.number
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN support_tickets t ON t.id = requested.value`);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceNumber("ticket", number) }));
}

/** Returns the condition that the ticket still exists. */
export const ticketExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM support_tickets WHERE id = ${id})`;
