import { type SQL, sql } from "drizzle-orm";
import { platformRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { StoredActivity } from "~/features/audit/activity/activity-entry";
import { ACTIVITY_COLUMNS } from "~/features/audit/activity/definition.server";
import type { Instant } from "~/lib/time";
import { limitsOf } from "~/platform/rate-limit.server";
import type { PersonAccount, PersonMembership } from "./model";

type AccountRow = Omit<PersonAccount, "role" | "hasFactor" | "needsSetupLink" | "mustChangePassword"> & {
  role: string | null;
  hasFactor: number | null;
  needsSetupLink: number | null;
  mustChangePassword: number;
};

/** Returns an account as its page shows it. */
export async function findPersonAccount(db: Db, userId: string, now: Instant): Promise<PersonAccount | null> {
  const row = await db.get<AccountRow | undefined>(sql`
    SELECT u.id, u.full_name AS name, u.email, r.role, u.status, u.created_at AS joinedAt, m.is_enabled AS hasFactor,
      m.setup_needs_link AS needsSetupLink, u.must_change_password AS mustChangePassword,
      u.closure_requested_at AS closureRequestedAt,
      u.password_expires_at AS passwordExpiresAt,
      (SELECT count(*) FROM mfa_backup_codes WHERE user_id = u.id AND used_at IS NULL) AS codesLeft,
      max(u.password_failures, coalesce(l.attempts, 0)) AS failures,
      iif(l.blocked_until > ${now}, l.blocked_until, NULL) AS blockedUntil
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    LEFT JOIN (${attemptsOf(userId)}) l
    WHERE u.id = ${userId}`);
  if (!row) return null;
  return {
    ...row,
    role: platformRole(row.role),
    hasFactor: row.hasFactor === 1,
    needsSetupLink: row.needsSetupLink === 1,
    mustChangePassword: row.mustChangePassword === 1,
  };
}

/** Returns a query for the wrong passwords and codes of a person, by strangers and in each known browser. */
const attemptsOf = (userId: string): SQL => sql`
  SELECT max(attempts) AS attempts, max(blocked_until) AS blocked_until FROM rate_limit_attempts
  WHERE (attempt_type = 'login_account' AND identifier = ${`user:${userId}`})
    OR (attempt_type = 'mfa' AND identifier = ${userId}) OR (${limitsOf("login_device", userId)})`;

/** Limits the organizations that the page of a person names. The list of members has all of them. */
export const MEMBERSHIPS_SHOWN = 30;

/** Lists the organizations of a person by name, whatever the state of the membership, and one more than are shown. */
export const listMemberships = (db: Db, userId: string): Promise<PersonMembership[]> =>
  db.all<PersonMembership>(sql`
    SELECT o.id AS organizationId, o.name AS organization, m.role, m.status, m.joined_at AS joinedAt
    FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} ORDER BY o.name_key, o.id LIMIT ${MEMBERSHIPS_SHOWN + 1}`);

/** Sets how many events of the history a page has. */
export const HISTORY_PAGE = 20;

/** Lists the newest events about a person and by them, before one of them, and one more than a page has. */
export function listHistory(db: Db, userId: string, before: number): Promise<StoredActivity[]> {
  const part = (condition: SQL) => sql`SELECT * FROM (
    SELECT ${sql.raw(ACTIVITY_COLUMNS)}
    FROM audit_events t WHERE ${condition} AND id < ${before} ORDER BY id DESC LIMIT ${HISTORY_PAGE + 1})`;
  return db.all<StoredActivity>(sql`
    ${part(sql`subject_type = 'user' AND subject_id = ${userId}`)} UNION ${part(sql`actor_id = ${userId}`)}
    ORDER BY id DESC LIMIT ${HISTORY_PAGE + 1}`);
}

/** Lists the organizations that would be left without an owner by name. */
export async function listSoleOwnerships(db: Db, userId: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT o.name FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE ${isSoleOwnership(userId)} ORDER BY o.name_key LIMIT 20`);
  return rows.map(({ name }) => name);
}

/** Builds the condition that a person is an owner, over `m` of memberships, and that nobody else is. */
const isSoleOwnership = (userId: string): SQL => sql`m.user_id = ${userId} AND m.role = 'owner' AND m.status = 'active'
  AND NOT EXISTS (SELECT 1 FROM organization_memberships other WHERE other.organization_id = m.organization_id
    AND other.role = 'owner' AND other.status = 'active' AND other.user_id <> m.user_id)`;

/** Builds the condition that a person is the only owner of no organization. */
export const isNoSoleOwner = (userId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM organization_memberships m WHERE ${isSoleOwnership(userId)})`;

/** Lists the addresses of all active administrators, besides a person. */
export const listAdminAddresses = (db: Db, besides: string): Promise<{ id: string; email: string }[]> =>
  db.all(sql`SELECT u.id, u.email FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.role = 'admin' AND u.status = 'active' AND u.id <> ${besides} LIMIT 200`);
