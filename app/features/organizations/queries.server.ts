import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";

/**
 * Returns the slug and its numbered variants, as far as they are taken. A slug contains no special characters of GLOB.
 */
export async function slugsLike(db: Db, slug: string): Promise<Set<string>> {
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(sql`${organizations.slug} = ${slug} or ${organizations.slug} glob ${`${slug}-[0-9]*`}`)
    .limit(1_000);
  return new Set(rows.map((row) => row.slug));
}
