import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type CappedCount, cappedText } from "~/lib/capped-count";
import { HELD_WORDS, type HeldReason } from "~/lib/held-reason";

/** Limits how many are read, for the few lines that the dashboard shows. */
const LIMIT = 25;

/**
 * Lists why submissions are held, the most frequent reason first, with how many more than one have it. Of many held
 * ones the newest are read; then each number ends in "+", because older ones may have the same reason.
 */
export async function listHeld(db: Db): Promise<string[]> {
  const rows = await db.all<{ reason: HeldReason; count: number; read: number }>(sql`
    SELECT held_reason AS reason, count(*) AS count, sum(count(*)) OVER () AS read
    FROM (SELECT t.held_reason FROM contact_submissions t INDEXED BY submissions_held
      WHERE t.held_reason IS NOT NULL AND t.created_at > 0 ORDER BY t.created_at DESC, t.id DESC LIMIT ${LIMIT + 1})
    GROUP BY held_reason ORDER BY count(*) DESC, held_reason`);
  return rows.map(({ reason, count, read }) => {
    const shown: CappedCount = { count, isMore: read > LIMIT };
    return count === 1 && !shown.isMore ? HELD_WORDS[reason] : `${HELD_WORDS[reason]} (${cappedText(shown)})`;
  });
}
