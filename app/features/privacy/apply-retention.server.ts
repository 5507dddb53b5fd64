import { eq, sql } from "drizzle-orm";
import { retentionRuns } from "~/db/schema/privacy";
import { findRetention } from "~/features/settings/find-submission-retention.server";
import { ruleInForce } from "~/features/settings/submission-retention";
import { dayIn, days, type Instant } from "~/lib/time";
import { type Deleted, type DeletionContext, deleteSome } from "./delete-expired.server";
import { countOnHold } from "./expired-submissions.server";

/**
 * Deletes the submissions, resolved or held for review, with which nothing has happened for as long as the settings
 * say, with notes, history, files and unsent mails. What is on hold stays. The run is logged with its numbers, also if
 * there was nothing to do.
 */
export async function applyRetention(ctx: DeletionContext): Promise<Deleted> {
  const now = ctx.now();
  const { days: retentionDays, never } = ruleInForce((await findRetention(ctx.db)).retention, now);
  if (never) return { count: 0, more: false };
  const before = now - days(retentionDays);
  await logRun(ctx, { retentionDays, before });
  return deleteSome(ctx, {
    before,
    action: "submission.expired",
    log: ({ submissions, files, notes }) =>
      ctx.db
        .update(retentionRuns)
        .set({
          submissions: sql`${retentionRuns.submissions} + ${submissions}`,
          files: sql`${retentionRuns.files} + ${files}`,
          notes: sql`${retentionRuns.notes} + ${notes}`,
        })
        .where(eq(retentionRuns.day, dayIn("UTC", now))),
  });
}

type Run = { retentionDays: number; before: Instant };

/** Makes the row of the day, with how many were old enough and are on hold. */
async function logRun({ db, now }: DeletionContext, { retentionDays, before }: Run): Promise<void> {
  const held = countOnHold(before);
  await db
    .insert(retentionRuns)
    .values({ day: dayIn("UTC", now()), started_at: now(), retention_days: retentionDays, on_hold: held })
    .onConflictDoUpdate({ target: retentionRuns.day, set: { retention_days: retentionDays, on_hold: held } });
}
