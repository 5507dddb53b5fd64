import { type SQL, sql } from "drizzle-orm";
import { type PlatformRole, platformRole } from "~/access/model";
import { countRows, type Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import type { StoredActivity } from "~/features/audit/activity/activity-entry";
import { ACTIVITY_COLUMNS } from "~/features/audit/activity/definition.server";
import { shownMailStatus } from "~/features/mail/mail-pause.server";
import type { CappedCount } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import { limitsOf } from "~/platform/rate-limits.server";
import type { AccountStatus, PersonAccount, PersonMembership, UserCounts } from "./model";

/*
 * What must be true at the moment of the commit: of two administrators who take the role from each other at once,
 * exactly one succeeds, and an installation never loses its last one.
 */

export const isActiveAdmin = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.user_id = ${userId} AND r.role = 'admin' AND u.status = 'active')`;

/**
 * Builds the condition that there is an active administrator besides a person. That an admin is no user is what the
 * index of the staff's roles says, and what lets it be used.
 */
export const isOtherAdmin = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.role = 'admin' AND r.role <> 'user' AND r.user_id <> ${userId} AND u.status = 'active')`;

export async function countUsers(db: Db): Promise<UserCounts> {
  const { admin = 0, moderator = 0, user = 0 } = await readTotals(db, ["user.admin", "user.user"]);
  return { admin, moderator, user, all: admin + moderator + user };
}

export async function countInvited(db: Db): Promise<CappedCount> {
  return countRows(db, sql`SELECT 1 FROM users INDEXED BY invited_users WHERE status = 'pending' AND number > 0`);
}

/** Selects the open invitation of an account over the alias `t` of users, as JSON; NULL where there is none. */
export const OPEN_INVITATION = `(SELECT json_object('invitedBy', i.inviter_name, 'sentAt', i.created_at,
  'expiresAt', i.expires_at, 'mail', (SELECT ${shownMailStatus("o")} FROM outbox o WHERE o.id = i.mail_id))
  FROM invitations i INDEXED BY open_account_invitation WHERE t.status = 'pending' AND i.user_id = t.id AND i.consumed_at IS NULL)`;

type AccountState = { name: string; email: string; role: PlatformRole; status: AccountStatus };

export async function findAccountState(db: Db, userId: string): Promise<AccountState | null> {
  const row = await db.get<(Omit<AccountState, "role"> & { role: string | null }) | undefined>(sql`
    SELECT u.full_name AS name, u.email, u.status, r.role FROM users u LEFT JOIN user_roles r ON r.user_id = u.id
    WHERE u.id = ${userId}`);
  return row ? { ...row, role: platformRole(row.role) } : null;
}

export async function hasOtherAdmin(db: Db, userId: string): Promise<boolean> {
  const row = await db.get<{ found: number }>(sql`SELECT ${isOtherAdmin(userId)} AS found`);
  return row.found === 1;
}

type AccountRow = Omit<
  PersonAccount,
  "otherAddresses" | "role" | "hasFactor" | "needsSetupLink" | "mustChangePassword"
> & {
  role: string | null;
  hasFactor: number | null;
  needsSetupLink: number | null;
  mustChangePassword: number;
};

export async function findPersonAccount(db: Db, userId: string, now: Instant): Promise<PersonAccount | null> {
  const row = await db.get<(AccountRow & { others: string }) | undefined>(sql`
    SELECT u.id, u.full_name AS name, u.email, u.phone, r.role, u.status, u.created_at AS joinedAt, m.is_enabled AS hasFactor,
      m.setup_needs_link AS needsSetupLink, u.must_change_password AS mustChangePassword,
      u.closure_requested_at AS closureRequestedAt,
      u.password_expires_at AS passwordExpiresAt,
      (SELECT count(*) FROM mfa_backup_codes WHERE user_id = u.id AND used_at IS NULL) AS codesLeft,
      (SELECT json_group_array(a.email) FROM other_addresses a WHERE a.user_id = u.id) AS others,
      max(u.password_failures, coalesce(l.attempts, 0)) AS failures,
      iif(l.blocked_until > ${now}, l.blocked_until, NULL) AS blockedUntil
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    LEFT JOIN (${attemptsOf(userId)}) l
    WHERE u.id = ${userId}`);
  if (!row) return null;
  const { others, ...account } = row;
  return {
    ...account,
    otherAddresses: JSON.parse(others),
    role: platformRole(row.role),
    hasFactor: row.hasFactor === 1,
    needsSetupLink: row.needsSetupLink === 1,
    mustChangePassword: row.mustChangePassword === 1,
  };
}

const attemptsOf = (userId: string): SQL => sql`
  SELECT max(attempts) AS attempts, max(blocked_until) AS blocked_until FROM rate_limit_attempts
  WHERE (attempt_type = 'login_account' AND identifier = ${`user:${userId}`})
    OR (attempt_type = 'mfa' AND identifier = ${userId}) OR (${limitsOf("login_device", userId)})`;

export const MEMBERSHIPS_SHOWN = 30;

export const listMemberships = (db: Db, userId: string): Promise<PersonMembership[]> =>
  db.all<PersonMembership>(sql`
    SELECT o.id AS organizationId, o.name AS organization, m.role, m.status, m.joined_at AS joinedAt
    FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} ORDER BY o.name_key, o.id LIMIT ${MEMBERSHIPS_SHOWN + 1}`);

export const HISTORY_PAGE = 20;

export function listHistory(db: Db, userId: string, before: number): Promise<StoredActivity[]> {
  const part = (condition: SQL) => sql`SELECT * FROM (
    SELECT ${sql.raw(ACTIVITY_COLUMNS)}
    FROM audit_events t WHERE ${condition} AND id < ${before} ORDER BY id DESC LIMIT ${HISTORY_PAGE + 1})`;
  return db.all<StoredActivity>(sql`
    ${part(sql`subject_type = 'user' AND subject_id = ${userId}`)} UNION ${part(sql`actor_id = ${userId}`)}
    ORDER BY id DESC LIMIT ${HISTORY_PAGE + 1}`);
}

export async function listSoleOwnerships(db: Db, userId: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT o.name FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE ${isSoleOwnership(userId)} ORDER BY o.name_key LIMIT 20`);
  return rows.map(({ name }) => name);
}

const isSoleOwnership = (userId: string): SQL => sql`m.user_id = ${userId} AND m.role = 'owner' AND m.status = 'active'
  AND NOT EXISTS (SELECT 1 FROM organization_memberships other WHERE other.organization_id = m.organization_id
    AND other.role = 'owner' AND other.status = 'active' AND other.user_id <> m.user_id)`;

export const isNoSoleOwner = (userId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM organization_memberships m WHERE ${isSoleOwnership(userId)})`;

export const listAdminAddresses = (db: Db, besides: string): Promise<{ id: string; email: string }[]> =>
  db.all(sql`SELECT u.id, u.email FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.role = 'admin' AND u.status = 'active' AND u.id <> ${besides} LIMIT 200`);
