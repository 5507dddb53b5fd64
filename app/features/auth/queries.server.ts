import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { platformRole } from "~/features/access/model";
import type { Instant } from "~/lib/time";
import type { SignedIn } from "~/platform/context.server";
import type { ProvenPerson, SignInState } from "./model";

type SessionRow = {
  user_id: string;
  email: string;
  full_name: string;
  role: string | null;
  aal: number;
  mfa: number | null;
  must_change_password: number;
  reauth_at: number;
  last_seen_at: number;
};

/**
 * Who a session belongs to, or null. One read of the primary at every request, so role, factor and revocation are
 * never older than the request. This is the only thing that decides whether a session lives: neither the cookie's
 * lifetime nor the payload in KV is asked.
 */
export async function findSignedIn(db: Db, sessionHash: string, now: Instant): Promise<SignedIn | null> {
  const row = await db.get<SessionRow | undefined>(sql`
    SELECT s.user_id, u.email, u.full_name, r.role, s.aal, m.is_enabled AS mfa, u.must_change_password,
      s.reauth_at, s.last_seen_at
    FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE s.id_hash = ${sessionHash} AND s.revoked_at IS NULL AND s.epoch = u.auth_epoch AND u.status = 'active'
      AND s.abs_expires_at > ${now} AND s.idle_expires_at > ${now}`);
  if (!row) return null;
  return {
    sessionHash,
    userId: row.user_id,
    email: row.email,
    fullName: row.full_name,
    role: platformRole(row.role),
    aal: row.aal,
    mfaEnabled: row.mfa === 1,
    mustChangePassword: row.must_change_password === 1,
    reauthAt: row.reauth_at,
    lastSeenAt: row.last_seen_at,
  };
}

/** What the password step needs to know of an account. Leaves this folder in no other form than `ProvenPerson`. */
export type StoredCredentials = ProvenPerson & { status: string; passwordHash: string | null };

type PersonRow = {
  id: string;
  email: string;
  full_name: string;
  auth_epoch: number;
  role: string | null;
  mfa: number | null;
};

/** The account of a normalized address, whatever its status, or null. */
export async function findCredentials(db: Db, email: string): Promise<StoredCredentials | null> {
  const row = await db.get<(PersonRow & { status: string; password_hash: string | null }) | undefined>(sql`
    SELECT u.id, u.email, u.full_name, u.status, u.password_hash, u.auth_epoch, r.role, m.is_enabled AS mfa
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE u.email = ${email}`);
  if (!row) return null;
  return { ...provenPerson(row), status: row.status, passwordHash: row.password_hash };
}

const provenPerson = (row: PersonRow): ProvenPerson => ({
  userId: row.id,
  email: row.email,
  fullName: row.full_name,
  role: platformRole(row.role),
  epoch: row.auth_epoch,
  mfaEnabled: row.mfa === 1,
});

/** The person behind a challenge whose attempt has just been reserved, with what their code is checked against. */
export type FactorHolder = { person: ProvenPerson; sealedSecret: string | null; redirectTo: string | null };

type FactorRow = PersonRow & { totp_secret: string | null; redirect_to: string | null };

export async function findFactorHolder(db: Db, challengeHash: string): Promise<FactorHolder | null> {
  const row = await db.get<FactorRow | undefined>(sql`
    SELECT u.id, u.email, u.full_name, u.auth_epoch, r.role, m.is_enabled AS mfa, m.totp_secret, c.redirect_to
    FROM auth_challenges c JOIN users u ON u.id = c.user_id
    LEFT JOIN user_roles r ON r.user_id = u.id LEFT JOIN user_mfa_settings m ON m.user_id = u.id
    WHERE c.id_hash = ${challengeHash}`);
  if (!row) return null;
  return { person: provenPerson(row), sealedSecret: row.totp_secret, redirectTo: row.redirect_to };
}

type ChallengeRow = { kind: string; email: string };

/** What the sign-in screen shows for a challenge: nothing special once it is used up, expired or overtaken. */
export async function findSignInState(db: Db, challengeHash: string, now: Instant): Promise<SignInState> {
  const row = await db.get<ChallengeRow | undefined>(sql`
    SELECT c.kind, u.email FROM auth_challenges c JOIN users u ON u.id = c.user_id
    WHERE c.id_hash = ${challengeHash} AND c.consumed_at IS NULL AND c.attempts < c.max_attempts
      AND c.expires_at > ${now} AND c.epoch = u.auth_epoch AND u.status = 'active'`);
  if (!row) return { at: "credentials" };
  return { at: row.kind === "setup" ? "setup_required" : "challenge", email: row.email };
}

export type OpenSession = {
  sessionHash: string;
  device: string;
  network: string;
  startedAt: Instant;
  lastSeenAt: Instant;
};

/** A person's live sessions, newest first. There are at most ten (`MAX_SESSIONS`). */
export async function listOpenSessions(db: Db, userId: string, now: Instant): Promise<OpenSession[]> {
  return db.all<OpenSession>(sql`
    SELECT s.id_hash AS sessionHash, s.ua_label AS device, s.ip_prefix AS network, s.created_at AS startedAt,
      s.last_seen_at AS lastSeenAt
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.user_id = ${userId} AND s.revoked_at IS NULL AND s.epoch = u.auth_epoch
      AND s.abs_expires_at > ${now} AND s.idle_expires_at > ${now}
    ORDER BY s.created_at DESC, s.rowid DESC LIMIT 10`);
}
