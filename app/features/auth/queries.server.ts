import { type SQL, sql } from "drizzle-orm";
import { type Actor, type OrganizationRole, platformRole } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { ACTIVE_MEMBERSHIPS, MFA_REQUIRED_SINCE, MFA_REQUIREMENT_BEGAN, validSession } from "~/db/account-conditions";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import type { OwnOrganization, SignedIn } from "~/platform/context.server";
import type { ProvenPerson } from "./model";

type SessionRow = {
  user_id: string;
  email: string;
  full_name: string;
  role: string | null;
  aal: number;
  mfa: number | null;
  must_change_password: number;
  codes_unsaved: number | null;
  shortcuts_off: number;
  reauth_at: number;
  last_seen_at: number;
  current_org_id: string | null;
  own: string;
};

type OwnMemberships = {
  mfaRequiredSince: Instant | null;
  /** Lists the organizations in no order: sorting them in the database would read each row once more. */
  organizations: (OwnOrganization & { nameKey: string })[];
};

/** One pass over the memberships answers what is required of the person, where they work and what the frame lists. */
const OWN_MEMBERSHIPS = sql`(
  SELECT json_object('mfaRequiredSince', ${MFA_REQUIREMENT_BEGAN}, 'organizations', json_group_array(json_object(
    'organizationId', o.id, 'organizationName', o.name, 'plan', o.plan, 'role', om.role,
    'visibility', o.visibility, 'nameKey', o.name_key)))
  FROM ${ACTIVE_MEMBERSHIPS})`;

/**
 * Reads the primary at every request, so role, factor and revocation are current. Only this query decides on a session.
 */
export async function findSignedIn(db: Db, sessionHash: string, now: Instant): Promise<SignedIn | null> {
  const row = await db.get<SessionRow | undefined>(sql`
    SELECT s.user_id, u.email, u.full_name, r.role, s.aal, m.is_enabled AS mfa, u.must_change_password,
      m.codes_unsaved, u.shortcuts_off, s.reauth_at, s.last_seen_at, s.current_org_id, ${OWN_MEMBERSHIPS} AS own
    FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE s.id_hash = ${sessionHash} AND ${validSession(now)}`);
  if (!row) return null;
  const own = JSON.parse(row.own) as OwnMemberships;
  const organizations = byName(own.organizations);
  return {
    sessionHash,
    userId: row.user_id,
    email: row.email,
    fullName: row.full_name,
    role: platformRole(row.role),
    // The one used last, if they still belong to it.
    membership:
      organizations.find(({ organizationId }) => organizationId === row.current_org_id) ?? organizations[0] ?? null,
    organizations,
    aal: row.aal,
    mfaEnabled: row.mfa === 1,
    mfaRequiredSince: own.mfaRequiredSince,
    mustChangePassword: row.must_change_password === 1,
    codesUnsaved: row.mfa === 1 && row.codes_unsaved === 1,
    shortcutsOff: row.shortcuts_off === 1,
    reauthAt: row.reauth_at,
    lastSeenAt: row.last_seen_at,
  };
}

const byName = (own: OwnMemberships["organizations"]): OwnOrganization[] =>
  own
    .sort((one, other) => compare(one.nameKey, other.nameKey) || compare(one.organizationId, other.organizationId))
    .map(({ nameKey, ...organization }) => organization);

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const SUSPENSIONS_SHOWN = 5;

/** Nothing else of them is the person's to know. */
export async function listSuspensions(db: Db, userId: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT o.name FROM organization_memberships m CROSS JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} AND m.status = 'suspended' ORDER BY o.name_key LIMIT ${SUSPENSIONS_SHOWN}`);
  return rows.map(({ name }) => name);
}

/** Describes an account as password checks need it. It holds the password hash, so it never reaches a page. */
export type Account = ProvenPerson & {
  status: string;
  passwordHash: string | null;
  passwordFailures: number;
  mustChangePassword: boolean;
  passwordExpiresAt: Instant | null;
  encryptedSecret: string | null;
  setupNeedsLink: boolean;
};

type PersonRow = {
  id: string;
  email: string;
  full_name: string;
  auth_epoch: number;
  role: string | null;
  mfa: number | null;
  mfa_required_since: number | null;
};

type AccountRow = PersonRow & {
  status: string;
  password_hash: string | null;
  password_failures: number;
  must_change_password: number;
  password_expires_at: number | null;
  totp_secret: string | null;
  setup_needs_link: number | null;
};

export const findAccountByEmail = (db: Db, email: string): Promise<Account | null> =>
  findAccountWhere(db, sql`u.email = ${email}`);

export const findAccount = (db: Db, userId: string): Promise<Account | null> =>
  findAccountWhere(db, sql`u.id = ${userId}`);

async function findAccountWhere(db: Db, condition: SQL): Promise<Account | null> {
  const row = await db.get<AccountRow | undefined>(sql`
    SELECT u.id, u.email, u.full_name, u.status, u.password_hash, u.password_failures, u.must_change_password,
      u.password_expires_at, u.auth_epoch, r.role, m.is_enabled AS mfa, m.totp_secret, m.setup_needs_link,
      ${MFA_REQUIRED_SINCE} AS mfa_required_since
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE ${condition}`);
  if (!row) return null;
  return {
    ...provenPerson(row),
    status: row.status,
    passwordHash: row.password_hash,
    passwordFailures: row.password_failures,
    mustChangePassword: row.must_change_password === 1,
    passwordExpiresAt: row.password_expires_at,
    encryptedSecret: row.totp_secret,
    setupNeedsLink: row.setup_needs_link === 1,
  };
}

const provenPerson = (row: PersonRow): ProvenPerson => ({
  userId: row.id,
  email: row.email,
  fullName: row.full_name,
  role: platformRole(row.role),
  epoch: row.auth_epoch,
  mfaEnabled: row.mfa === 1,
  mfaRequiredSince: row.mfa_required_since,
});

type ChallengePerson = { person: ProvenPerson; encryptedSecret: string | null; redirectTo: string | null };

export async function findChallengePerson(db: Db, challengeHash: string): Promise<ChallengePerson | null> {
  const row = await db.get<(PersonRow & { totp_secret: string | null; redirect_to: string | null }) | undefined>(sql`
    SELECT u.id, u.email, u.full_name, u.auth_epoch, r.role, m.is_enabled AS mfa, m.totp_secret,
      ${MFA_REQUIRED_SINCE} AS mfa_required_since, c.redirect_to
    FROM auth_challenges c JOIN users u ON u.id = c.user_id
    LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE c.id_hash = ${challengeHash}`);
  if (!row) return null;
  return { person: provenPerson(row), encryptedSecret: row.totp_secret, redirectTo: row.redirect_to };
}

export type OpenChallenge = { kind: "verify" | "setup"; userId: string; email: string };

/** Returns an open challenge, or null when it is consumed, expired or older than a change of the account. */
export async function findOpenChallenge(db: Db, challengeHash: string, now: Instant): Promise<OpenChallenge | null> {
  const row = await db.get<OpenChallenge | undefined>(sql`
    SELECT c.kind, u.id AS userId, u.email FROM auth_challenges c JOIN users u ON u.id = c.user_id
    WHERE c.id_hash = ${challengeHash} AND c.consumed_at IS NULL AND c.attempts < c.max_attempts
      AND c.expires_at > ${now} AND c.epoch = u.auth_epoch AND u.status = 'active'`);
  return row ?? null;
}

type OpenSession = {
  id: number;
  sessionHash: string;
  network: string;
  startedAt: Instant;
  lastSeenAt: Instant;
};

export async function listOpenSessions(db: Db, userId: string, now: Instant): Promise<OpenSession[]> {
  return db.all<OpenSession>(sql`
    SELECT s.rowid AS id, s.id_hash AS sessionHash, s.ip_prefix AS network, s.created_at AS startedAt,
      s.last_seen_at AS lastSeenAt
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.user_id = ${userId} AND ${validSession(now)}
    ORDER BY s.created_at DESC, s.rowid DESC LIMIT 10`);
}

export type ProfileState = {
  phone: string;
  pendingEmail: string | null;
  codesLeft: number;
};

export const findProfileState = (db: Db, userId: string, now: Instant): Promise<ProfileState> =>
  db.get<ProfileState>(sql`
    SELECT
      (SELECT phone FROM users WHERE id = ${userId}) AS phone,
      (SELECT u.pending_email FROM users u JOIN auth_tokens t ON t.user_id = u.id
        WHERE u.id = ${userId} AND t.purpose = 'email_change' AND t.email = u.pending_email
          AND t.consumed_at IS NULL AND t.expires_at > ${now} LIMIT 1) AS pendingEmail,
      (SELECT count(*) FROM mfa_backup_codes WHERE user_id = ${userId} AND used_at IS NULL) AS codesLeft`);

const ORGANIZATION_ROLES: readonly OrganizationRole[] = ["owner", "admin", "member"];

/** For batches that change what people may do: somebody may have taken the right away since the guard of the route. */
export function stillAllowed(actor: Actor, ability: Ability, organizationId: string): SQL {
  const { userId, role, membership } = actor;
  const isActive = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;
  if (membership === null) {
    return sql`${isActive} AND coalesce((SELECT role FROM user_roles WHERE user_id = ${userId}), 'user') = ${role}`;
  }
  const roles = ORGANIZATION_ROLES.filter((each) =>
    can({ userId, role, membership: { organizationId, role: each } }, ability, { organizationId }),
  );
  return sql`${isActive} AND EXISTS (SELECT 1 FROM organization_memberships
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = 'active'
      AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)})))`;
}
