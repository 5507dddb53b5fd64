import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import { countOnHold, expiredSubmissions } from "./expired-submissions.server";

/** Limits how far is counted what would be deleted. */
const PREVIEW_LIMIT = 1_000;

/**
 * Describes what a deletion would do. `isMore`: more would go than were counted. All on hold are counted: they are few.
 */
type DeletionPreview = { count: number; onHold: number; isMore: boolean };

/**
 * Counts which submissions would be deleted that have been quiet since a time, and which stay because they are on hold.
 */
export async function previewDeletion(db: Db, before: Instant): Promise<DeletionPreview> {
  const [row] = await db.all<{ counted: number; onHold: number }>(sql`
    SELECT ${countOnHold(before)} AS onHold, count(*) AS counted
    FROM (SELECT 1 FROM (${expiredSubmissions(before)}) WHERE NOT onHold LIMIT ${PREVIEW_LIMIT + 1})`);
  const { counted, onHold } = row ?? { counted: 0, onHold: 0 };
  return { count: Math.min(counted, PREVIEW_LIMIT), onHold, isMore: counted > PREVIEW_LIMIT };
}

/** Counts the files and the notes that would go with the submissions of a preview. */
export async function previewRemains(db: Db, before: Instant): Promise<{ files: number; notes: number }> {
  const numberOf = (table: string) => sql`(SELECT count(*) FROM gone CROSS JOIN ${sql.raw(table)} x
    ON x.subject_type = 'submission' AND x.subject_id = gone.id)`;
  const [row] = await db.all<{ files: number; notes: number }>(sql`
    WITH gone AS (SELECT id FROM (${expiredSubmissions(before)}) WHERE NOT onHold LIMIT ${PREVIEW_LIMIT})
    SELECT ${numberOf("attachments")} AS files, ${numberOf("admin_notes")} AS notes`);
  return row ?? { files: 0, notes: 0 };
}
