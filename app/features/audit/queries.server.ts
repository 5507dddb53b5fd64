import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { hours, type Instant } from "~/lib/time";
import type { ActivityCounts } from "./model";

const RECENT_LIMIT = 100;

/** Those who are notified of them at once. */
export const seesSecurityEvents = (actor: Actor): boolean => can(actor, "security.view");

/** Of it only the event of that is left. */
const wasErased = (id: string): string => `${id} IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM users account WHERE account.id = ${id} AND account.email NOT LIKE '%@erased.invalid')
  AND EXISTS (SELECT 1 FROM audit_events gone
    WHERE gone.subject_type = 'user' AND gone.subject_id = ${id} AND gone.action = 'user.erased')`;

/** Whoever has no account is named by the keyed hash of their address, which others may get later. */
const addressWasErased = (hash: string, at: string): string =>
  `EXISTS (SELECT 1 FROM erased_addresses e WHERE e.email_hash = ${hash} AND e.erased_at >= ${at})`;

/** The event itself keeps the names, and whoever shows it does not. */
export const formerPeople = (alias: string): string => `(${wasErased(`${alias}.actor_id`)}) AS is_former,
  (${alias}.subject_type = 'user' AND ${alias}.subject_label IS NULL AND ${wasErased(`${alias}.subject_id`)})
    AS is_former_subject,
  (SELECT json_group_array(named.key) FROM json_each(${alias}.meta_json, '$.people') named
    WHERE ${wasErased("named.value")} OR ${addressWasErased("named.value", `${alias}.at`)}) AS former_people`;

type Seen = { withSecurity: boolean };

export async function countTotals(
  db: Db,
  { withSecurity }: Seen,
): Promise<Pick<ActivityCounts, "all" | "submissions" | "people">> {
  const totals = await db.all<{ name: string; value: number }>(
    sql`SELECT name, value FROM totals WHERE name IN (
      'activity.all', 'activity.submission', 'activity.people', 'activity.security', 'activity.security_people')`,
  );
  const valueOf = (name: string) => totals.find((row) => row.name === name)?.value ?? 0;
  return {
    all: valueOf("activity.all") - (withSecurity ? 0 : valueOf("activity.security")),
    submissions: valueOf("activity.submission"),
    people: valueOf("activity.people") - (withSecurity ? 0 : valueOf("activity.security_people")),
  };
}

export async function countActivity(
  db: Db,
  now: Instant,
  seen: Seen = { withSecurity: true },
): Promise<ActivityCounts> {
  const visible = seen.withSecurity ? sql`1` : sql`activity_type <> 'security'`;
  const [totals, [recent]] = await Promise.all([
    countTotals(db, seen),
    db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
      SELECT 1 FROM audit_events WHERE at >= ${now - hours(1)} AND ${visible} LIMIT ${RECENT_LIMIT})`),
  ]);
  const count = recent?.count ?? 0;
  return { ...totals, lastHour: { count, more: count === RECENT_LIMIT } };
}
