import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { letterMonths, letters } from "~/db/schema/letters";
import { getSettings } from "~/features/settings/queries.server";
import { addDays, dayIn, hours, type Instant, startOfDay, zonedInstant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { gatherFacts, type LetterOrganization } from "./gather-facts.server";
import type { LetterWords } from "./model";
import { daysOfMonth } from "./months";

/** Sets when drafts are made, on the first day of a month in the site's time zone. */
const DRAFTED_AT = hours(8);

/** Limits the organizations that are looked at in one run, and the tickets that may wait to be counted meanwhile. */
const CHUNK = 20;
const UNCOUNTED_MAX = 10;

const NO_WORDS: LetterWords = { sentences: [], reasons: [] };

/** Returns the month whose letters are due: the one before, from the morning of the first day on. Null: none is. */
export function dueMonth(zone: string, now: Instant): string | null {
  const month = dayIn(zone, now).slice(0, 7);
  const first = `${month}-01`;
  return now < zonedInstant(zone, first, DRAFTED_AT) ? null : addDays(first, -1).slice(0, 7);
}

/**
 * Makes the drafts of a month: one for each organization that had a plan in it. It goes on where the last run ended,
 * and an organization that has its letter keeps it.
 */
export async function draftLetters(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  const nothing = { count: 0, more: false };
  const now = ctx.now();
  const { timeZone: zone } = await getSettings(db);
  const month = dueMonth(zone, now);
  if (month === null) return nothing;
  const [[progress], [waiting]] = await Promise.all([
    db.all<{ upTo: number; isOver: number }>(sql`
      SELECT done_up_to AS upTo, finished_at IS NOT NULL AS isOver FROM letter_months WHERE month = ${month}`),
    db.all<{ count: number }>(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM tickets_to_count LIMIT ${UNCOUNTED_MAX})`,
    ),
  ]);
  if (progress?.isOver) return nothing;
  // Figures that lag behind would be those of the letter for ever: the next run looks again.
  if (waiting?.count === UNCOUNTED_MAX) return { count: 0, more: true };
  const organizations = await db.all<LetterOrganization & { isDue: number }>(sql`
    SELECT id, number, name, plan, contract_started_at AS contractStartedAt, active_members AS people,
      members_without_mfa AS withoutSecondFactor,
      plan <> 'none' AND coalesce(contract_started_at, 0) < ${endOf(month, zone)} AS isDue
    FROM organizations INDEXED BY organizations_in_order WHERE number > ${progress?.upTo ?? 0}
    ORDER BY number LIMIT ${CHUNK}`);
  const more = organizations.length === CHUNK;
  const due = organizations.filter(({ isDue }) => isDue === 1);
  const facts = await Promise.all(due.map((organization) => gatherFacts(db, organization, { month, zone })));
  const drafts = due.map(({ id }, index) =>
    db
      .insert(letters)
      .values({
        id: ctx.newId("ltr"),
        created_at: now,
        updated_at: now,
        organization_id: id,
        month,
        status: "draft",
        facts_json: JSON.stringify(facts[index]),
        words_json: JSON.stringify(NO_WORDS),
      })
      .onConflictDoNothing(),
  );
  const upTo = organizations.at(-1)?.number ?? progress?.upTo ?? 0;
  const reached = { done_up_to: upTo, finished_at: more ? null : now };
  await commit(db, [
    ...drafts,
    db
      .insert(letterMonths)
      .values({ month, ...reached })
      .onConflictDoUpdate({ target: letterMonths.month, set: reached }),
  ]);
  return { count: drafts.length, more };
}

const endOf = (month: string, zone: string): Instant => startOfDay(zone, addDays(daysOfMonth(month).to, 1));
