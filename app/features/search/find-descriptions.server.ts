import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";

/**
 * Reads the descriptions of tickets that a list has shown the viewer, where the words of a search were found in none of
 * what the list shows.
 */
export async function findDescriptions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; description: string }>(sql`
    SELECT t.id, t.description FROM json_each(${JSON.stringify(ids)}) asked
    CROSS JOIN support_tickets t ON t.id = asked.value`);
  return new Map(rows.map(({ id, description }) => [id, description]));
}
