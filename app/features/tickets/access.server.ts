import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { isNotErased } from "~/features/contacts/queries.server";
import type { TicketActor } from "./model";

export type TicketViewer = { userId: string; organizationId: string; role: OrganizationRole };

/** What somebody opened or was added to, over the alias `t` of the tickets' table. */
export const isViewer = (userId: string | SQL): SQL => sql`instr(t.viewers, '~' || ${userId} || '.') > 0`;

type Viewers = { viewers: SQL<string> };

export const withViewer = (userId: string): Viewers => ({
  viewers: sql`iif(instr(viewers, '~' || ${userId} || '.') > 0, viewers, trim(viewers || ' ~' || ${userId} || '.'))`,
});

export const withoutViewer = (userId: string): Viewers => ({
  viewers: sql`trim(replace(viewers, '~' || ${userId} || '.', ''))`,
});

/** `visibility`: the setting of the ticket's organization. Private tickets are seen by their viewers only. */
const memberMaySee = (userId: string | SQL, visibility: SQL): SQL =>
  sql`(${isViewer(userId)} OR (t.is_private = 0 AND ${visibility} = 'all'))`;

/**
 * Returns the condition that a client may see a ticket, over the alias `t` of the tickets' table. Owner and admins see
 * all of their organization. Members see what is shared, if the organization lets them see each other's tickets, and
 * always what they opened or were added to. Foreign and private tickets cannot be told from missing ones.
 */
export function visibleToClient({ userId, organizationId, role }: TicketViewer): SQL {
  const ofOrganization = sql`t.organization_id = ${organizationId}`;
  if (role !== "member") return ofOrganization;
  const visibility = sql`(SELECT visibility FROM organizations WHERE id = t.organization_id)`;
  return sql`${ofOrganization} AND ${memberMaySee(userId, visibility)}`;
}

/**
 * Holds the same condition for several people at once: over the aliases `t` of the tickets, `m` of their memberships in
 * the ticket's organization, which are active, and `org` of the organizations. False without a membership.
 */
export const memberSees: SQL = sql`m.user_id IS NOT NULL
  AND (m.role <> 'member' OR ${memberMaySee(sql`m.user_id`, sql`org.visibility`)})`;

export type TicketClient = Pick<MemberActor, "userId" | "fullName" | "membership">;

export const viewerOf = ({ userId, membership }: TicketClient): TicketViewer => ({
  userId,
  organizationId: membership.organizationId,
  role: membership.role,
});

/**
 * Returns the condition that somebody is still staff, or still a member of the organization, when the statement runs:
 * files may have taken minutes to arrive since the guard of the route. Jobs are always allowed, and somebody without an
 * account until they are erased.
 */
export function stillBelongs({ side, userId, contactId }: TicketActor, organizationId: string): SQL {
  if (contactId !== undefined) return isNotErased(contactId);
  if (side === "system" || userId === null) return sql`1`;
  return side === "staff"
    ? sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
        WHERE r.user_id = ${userId} AND r.role IN ('admin', 'moderator') AND u.status = 'active')`
    : sql`EXISTS (SELECT 1 FROM organization_memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND m.status = 'active'
          AND u.status = 'active')`;
}

export const holds = async (db: Db, condition: SQL): Promise<boolean> =>
  (await db.all(sql`SELECT 1 WHERE ${condition}`)).length > 0;
