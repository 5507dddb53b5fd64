import { type SQL, sql } from "drizzle-orm";
import { isSubmissionHeld } from "~/features/subjects/legal-hold.server";
import { days, type Instant } from "~/lib/time";

const OLDEST_FIRST = sql`contact_submissions t INDEXED BY submissions_by_last_change`;

/**
 * Returns a query for the resolved submissions, `id` and `onHold`, with which nothing has happened for so many days: no
 * change, note, reply or assignment. What the retention deletes and what its preview counts are both this query.
 * `among`: ids to look at, as JSON; without them all are, the oldest first.
 */
export function expiredSubmissions(retentionDays: number, now: Instant, among?: string | SQL): SQL {
  const before = now - days(retentionDays);
  const source = among
    ? sql`json_each(${among}) asked CROSS JOIN contact_submissions t ON t.id = asked.value`
    : OLDEST_FIRST;
  const since = (table: string) =>
    sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.submission_id = t.id AND x.at >= ${before})`;
  return sql`
    SELECT t.id AS id, ${isSubmissionHeld(sql`t.id`, sql`t.email`)} AS onHold FROM ${source}
    WHERE t.held_reason IS NULL AND t.status = 'resolved' AND t.updated_at < ${before}
      AND NOT ${since("submission_events")} AND NOT ${since("submission_assignments")}
      AND NOT ${since("submission_replies")}
      AND NOT EXISTS (SELECT 1 FROM admin_notes n WHERE n.subject_type = 'submission' AND n.subject_id = t.id
        AND n.updated_at >= ${before})`;
}
