import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationFigures } from "./model";

/** Reads the counts that triggers maintain. No ticket is counted before there are any. */
export async function countOrganizations(db: Db): Promise<OrganizationFigures> {
  const rows = await db.all<{ name: string; value: number }>(sql`
    SELECT name, value FROM totals
    WHERE name IN ('organization.all', 'organization.to_review', 'membership.active', 'ticket.all', 'ticket.active')`);
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  return {
    organizations: valueOf("organization.all"),
    toReview: valueOf("organization.to_review"),
    members: valueOf("membership.active"),
    tickets: valueOf("ticket.all"),
    activeTickets: valueOf("ticket.active"),
  };
}
