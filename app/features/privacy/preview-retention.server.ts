import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import { expiredSubmissions } from "./expired-submissions.server";

/** Limits how far is counted what a run would delete. */
const PREVIEW_LIMIT = 1_000;

/** Describes what a run would do. `isMore`: there are more than were counted. */
export type RetentionPreview = { count: number; onHold: number; isMore: boolean };

/** Counts which submissions a run at this moment would delete, and which it would leave because they are on hold. */
export async function previewRetention(db: Db, retentionDays: number, now: Instant): Promise<RetentionPreview> {
  const [row] = await db.all<{ counted: number; onHold: number }>(sql`
    SELECT count(*) AS counted, coalesce(sum(onHold), 0) AS onHold
    FROM (SELECT * FROM (${expiredSubmissions(retentionDays, now)}) LIMIT ${PREVIEW_LIMIT + 1})`);
  const { counted, onHold } = row ?? { counted: 0, onHold: 0 };
  const isMore = counted > PREVIEW_LIMIT;
  return { count: Math.min(counted, PREVIEW_LIMIT) - onHold, onHold, isMore };
}
