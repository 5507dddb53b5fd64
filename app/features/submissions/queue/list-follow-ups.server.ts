import { sql } from "drizzle-orm";
import { getSettings } from "~/features/settings/queries.server";
import { shortDay } from "~/lib/due";
import { referenceNumber } from "~/lib/reference-number";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { submissionPath } from "../subject";
import type { FollowUp } from "./model";

/** Limits the follow-ups that the dashboard shows. */
const FOLLOW_UPS_SHOWN = 5;

type FollowUpRow = Omit<FollowUp, "number" | "to" | "since"> & { id: string; number: number; day: string };

/**
 * Lists who is to be followed up today or was to be before, the longest overdue first, and whether there are more. The
 * first days are read together with the zone, which decides which of them have come.
 */
export async function listFollowUps({
  db,
  now,
}: Pick<Ctx, "db" | "now">): Promise<{ items: FollowUp[]; hasMore: boolean }> {
  const [{ timeZone }, rows] = await Promise.all([
    getSettings(db),
    db.all<FollowUpRow>(sql`
      SELECT t.id, t.number, t.first_name || ' ' || t.last_name AS name, t.company AS organization,
        t.follow_up_on AS day, (SELECT u.full_name FROM users u WHERE u.id = t.owner_id) AS owner
      FROM contact_submissions t INDEXED BY submissions_follow_up_by_day
      WHERE t.held_reason IS NULL AND t.follow_up_on IS NOT NULL AND t.status <> 'resolved'
      ORDER BY t.follow_up_on, t.id LIMIT ${FOLLOW_UPS_SHOWN + 1}`),
  ]);
  const today = dayIn(timeZone, now());
  const due = rows.filter(({ day }) => day <= today);
  const items = due.slice(0, FOLLOW_UPS_SHOWN).map(({ id, number, day, ...row }) => ({
    ...row,
    number: referenceNumber("submission", number),
    to: submissionPath(id),
    since: day < today ? shortDay(day) : null,
  }));
  return { items, hasMore: due.length > FOLLOW_UPS_SHOWN };
}
