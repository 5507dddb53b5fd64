import { type SQL, sql } from "drizzle-orm";
import { isSubmissionHeld } from "~/features/subjects/legal-hold.server";
import type { Instant } from "~/lib/time";

/**
 * Holds the two kinds that are ever deleted, each with the index in whose order they are looked at, the oldest first.
 */
const RESOLVED = {
  is: sql`t.held_reason IS NULL AND t.status = 'resolved'`,
  source: sql`contact_submissions t INDEXED BY submissions_by_last_change`,
};
const HELD_FOR_REVIEW = {
  is: sql`t.held_reason IS NOT NULL`,
  source: sql`contact_submissions t INDEXED BY submissions_held`,
};

/**
 * Returns a query for the submissions, `id` and `onHold`, that are resolved or held for review, and with which nothing
 * has happened since a time: no change, note, reply or assignment. What the retention or a purge deletes and what its
 * preview counts are both this query. `among`: ids to look at, as JSON; without them all are.
 */
export function expiredSubmissions(before: Instant, among?: string | SQL): SQL {
  const since = (table: string) =>
    sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} x WHERE x.submission_id = t.id AND x.at >= ${before})`;
  const select = ({ is, source }: { is: SQL; source: SQL }) => sql`
    SELECT t.id AS id, ${isSubmissionHeld(sql`t.id`, sql`t.email`)} AS onHold FROM ${source}
    WHERE ${is} AND t.updated_at < ${before}
      AND NOT ${since("submission_events")} AND NOT ${since("submission_assignments")}
      AND NOT ${since("submission_replies")}
      AND NOT EXISTS (SELECT 1 FROM admin_notes n WHERE n.subject_type = 'submission' AND n.subject_id = t.id
        AND n.updated_at >= ${before})`;
  if (!among) {
    // No change is older than the row itself, so that the index ends the search.
    const held = { ...HELD_FOR_REVIEW, is: sql`${HELD_FOR_REVIEW.is} AND t.created_at < ${before}` };
    return sql`${select(RESOLVED)} UNION ALL ${select(held)}`;
  }
  return select({
    is: sql`((${RESOLVED.is}) OR ${HELD_FOR_REVIEW.is})`,
    source: sql`json_each(${among}) asked CROSS JOIN contact_submissions t ON t.id = asked.value`,
  });
}

/** Selects the submissions that a hold protects, as JSON: those on hold are few, those old enough may be many. */
const HELD_IDS = sql`(SELECT json_group_array(id) FROM (
  SELECT h.subject_id AS id FROM legal_holds h WHERE h.subject_type = 'submission' AND h.lifted_at IS NULL
  UNION SELECT s.id FROM legal_holds h CROSS JOIN users u ON u.id = h.subject_id
    CROSS JOIN contact_submissions s ON s.email = u.email WHERE h.subject_type = 'user' AND h.lifted_at IS NULL))`;

/** Counts the submissions that are old enough and stay, because they are on hold. */
export const countOnHold = (before: Instant): SQL =>
  sql`(SELECT count(*) FROM (${expiredSubmissions(before, HELD_IDS)}) WHERE onHold)`;
