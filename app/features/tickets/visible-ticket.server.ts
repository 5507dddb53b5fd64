import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";

/** Names a client by what decides which tickets they see: person, current organization, role in it. */
export type TicketViewer = { userId: string; organizationId: string; role: OrganizationRole };

/**
 * Returns the condition that a client may see a ticket, over the alias `t` of the tickets' table. Owner and admins see
 * all of their organization. Members see what is shared, if the organization lets them see each other's tickets, and
 * always what they opened or were added to. Foreign and private tickets cannot be told from missing ones.
 */
export function visibleToClient({ userId, organizationId, role }: TicketViewer): SQL {
  const ofOrganization = sql`t.organization_id = ${organizationId}`;
  if (role !== "member") return ofOrganization;
  return sql`${ofOrganization} AND (instr(t.viewers, ${`~${userId}.`}) > 0
    OR (t.is_private = 0 AND (SELECT visibility FROM organizations WHERE id = t.organization_id) = 'all'))`;
}

/**
 * Holds the same condition for several people at once: over the aliases `t` of the tickets, `m` of their memberships in
 * the ticket's organization, which are active, and `org` of the organizations. False without a membership.
 */
export const memberSees: SQL = sql`m.user_id IS NOT NULL AND (m.role <> 'member' OR instr(t.viewers, '~' || m.user_id || '.') > 0
  OR (t.is_private = 0 AND org.visibility = 'all'))`;
