import { sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import type { Db } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";

/** Returns the number of the newest live event of an organization; 0: there is none. */
export async function findLastEvent(db: Db, organizationId: string): Promise<number> {
  const { seq } = await db.get<{ seq: number }>(sql`
    SELECT coalesce(max(seq), 0) AS seq FROM ${liveEvents} WHERE audience = ${organizationAudience(organizationId)}`);
  return seq;
}
