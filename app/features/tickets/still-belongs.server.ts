import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { TicketActor } from "./model";

/**
 * Returns the condition that somebody is still staff, or still a member of the organization, when the statement runs:
 * files may have taken minutes to arrive since the guard of the route. Jobs are always allowed.
 */
export function stillBelongs({ side, userId }: TicketActor, organizationId: string): SQL {
  if (side === "system" || userId === null) return sql`1`;
  return side === "staff"
    ? sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
        WHERE r.user_id = ${userId} AND r.role IN ('admin', 'moderator') AND u.status = 'active')`
    : sql`EXISTS (SELECT 1 FROM organization_memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND m.status = 'active'
          AND u.status = 'active')`;
}

/** Tells whether a condition holds now, for a batch that expected it and was not written. */
export const holds = async (db: Db, condition: SQL): Promise<boolean> =>
  (await db.all(sql`SELECT 1 WHERE ${condition}`)).length > 0;
