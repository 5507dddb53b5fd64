import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationFigures } from "./model";

/** Reads the counts that triggers maintain. */
export async function countOrganizations(db: Db): Promise<OrganizationFigures> {
  const rows = await db.all<{ name: string; value: number }>(sql`
    SELECT name, value FROM totals
    WHERE name IN ('organization.all', 'organization.to_review', 'membership.active', 'ticket.open',
      'ticket.in_progress', 'ticket.waiting_for_customer', 'ticket.resolved', 'ticket.closed')`);
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  const activeTickets = valueOf("ticket.open") + valueOf("ticket.in_progress") + valueOf("ticket.waiting_for_customer");
  return {
    organizations: valueOf("organization.all"),
    toReview: valueOf("organization.to_review"),
    members: valueOf("membership.active"),
    tickets: activeTickets + valueOf("ticket.resolved") + valueOf("ticket.closed"),
    activeTickets,
  };
}
