import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotal, readTotals } from "~/db/read-totals.server";
import { ACTIVE_STATUSES, TICKET_STATUSES, type TicketStatus } from "../model";

/** Counts tickets by status, with the sums of all and of the active ones. */
export type TicketCounts = Record<TicketStatus | "active" | "all", number>;

type ByStatus = Partial<Record<TicketStatus, number>>;

const sumOf = (counts: ByStatus, statuses: readonly TicketStatus[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

const withSums = (counts: ByStatus): TicketCounts => ({
  open: 0,
  in_progress: 0,
  waiting_for_customer: 0,
  resolved: 0,
  closed: 0,
  ...counts,
  active: sumOf(counts, ACTIVE_STATUSES),
  all: sumOf(counts, TICKET_STATUSES),
});

/** Reads the counts of all tickets, which triggers maintain. */
export async function countTickets(db: Db): Promise<TicketCounts> {
  return withSums(await readTotals(db, ["ticket.closed", "ticket.waiting_for_customer"]));
}

/** Reads how many tickets are open: one row. */
export const countOpenTickets = (db: Db): Promise<number> => readTotal(db, "ticket.open");

/** Reads the counts of an organization's tickets, which triggers maintain. */
export async function countTicketsOf(db: Db, organizationId: string): Promise<TicketCounts> {
  const [counts] = await db.all<ByStatus>(sql`
    SELECT open, in_progress, waiting_for_customer, resolved, closed FROM ticket_counts
    WHERE organization_id = ${organizationId}`);
  return withSums(counts ?? {});
}
