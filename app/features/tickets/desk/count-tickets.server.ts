import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
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
  const names = JSON.stringify(TICKET_STATUSES.map((status) => `ticket.${status}`));
  const rows = await db.all<{ status: TicketStatus; value: number }>(sql`
    SELECT substr(name, 8) AS status, value FROM totals WHERE name IN (SELECT value FROM json_each(${names}))`);
  return withSums(Object.fromEntries(rows.map(({ status, value }) => [status, value])));
}

/** Reads the counts of an organization's tickets, which triggers maintain. */
export async function countTicketsOf(db: Db, organizationId: string): Promise<TicketCounts> {
  const [counts] = await db.all<ByStatus>(sql`
    SELECT open, in_progress, waiting_for_customer, resolved, closed FROM ticket_counts
    WHERE organization_id = ${organizationId}`);
  return withSums(counts ?? {});
}
