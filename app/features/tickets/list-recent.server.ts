import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { referenceNumber } from "~/lib/reference-number";
import type { TicketStatus } from "./model";

/** Describes a ticket beside something else. `reference`: its reference number, shown as `T-1042`. */
export type RecentTicket = { id: string; reference: string; title: string; status: TicketStatus };

/** Limits how many are shown. */
const SHOWN = 5;

/** Lists the newest tickets of an organization for staff. */
export async function listRecentTickets(db: Db, organizationId: string): Promise<RecentTicket[]> {
  const rows = await db.all<Omit<RecentTicket, "reference"> & { number: number }>(sql`
    SELECT id, number, title, status FROM support_tickets INDEXED BY organization_tickets
    WHERE organization_id = ${organizationId} ORDER BY number DESC LIMIT ${SHOWN}`);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceNumber("ticket", number) }));
}
