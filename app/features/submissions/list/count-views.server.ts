import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { capped, cappedText } from "~/lib/capped-count";
import type { ViewCounts } from "../model";

/** Limits how far is counted for a tab: each row of the count is read on every page of the list. */
const LIMIT = 25;

/** Counts the views of the list that no counter maintains, each up to its limit. */
export async function countViews(db: Db, { userId, today }: { userId: string; today: string }): Promise<ViewCounts> {
  const [row] = await db.all<{ mine: number; followUp: number }>(sql`
    SELECT
      (SELECT count(*) FROM (
        SELECT 1 FROM contact_submissions t INDEXED BY submissions_by_owner
        WHERE t.held_reason IS NULL AND t.owner_id = ${userId} LIMIT ${LIMIT + 1})) AS mine,
      (SELECT count(*) FROM (
        SELECT 1 FROM contact_submissions t INDEXED BY submissions_follow_up_by_day
        WHERE t.held_reason IS NULL AND t.follow_up_on IS NOT NULL AND t.status <> 'resolved'
          AND t.follow_up_on <= ${today} LIMIT ${LIMIT + 1})) AS followUp`);
  return { mine: cappedText(capped(row?.mine ?? 0, LIMIT)), follow_up: cappedText(capped(row?.followUp ?? 0, LIMIT)) };
}
