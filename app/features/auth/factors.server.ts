import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { HOTP, Secret, TOTP } from "otpauth";
import { commit, type Db, expectChange, type Statement } from "~/db/client.server";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/security";
import { authChallenges } from "~/db/schema/sessions";
import type { MfaFailure } from "~/features/audit/model";
import { recordMfaEvent } from "~/features/audit/record-audit.server";
import { invariant } from "~/lib/errors";
import { type Duration, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { codesCookieOf, deleteCodesCookie, setCodesCookie } from "~/platform/cookies.server";
import { equalInConstantTime, hashBackupCode, newSalt } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { runInHashQueue } from "~/platform/hash-queue.server";
import { giveBackLimit } from "~/platform/rate-limits.server";
import { securityMail } from "./mail-links.server";
import { CODES_PER_SET, codeFrom, isCode, normalizeCode, type TypedCode, totpSecretContext } from "./model";

export const CODE_PERIOD: Duration = seconds(30);
const DIGITS = 6;
const WINDOW = [-1, 0, 1] as const;

export const stepAt = (now: Instant): number => Math.floor(now / CODE_PERIOD);

const SECRET_BYTES = 20;

/** Returns a secret in base32, made of the first 20 random bytes. They are copied, because views may share a buffer. */
export const secretFrom = (random: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random.subarray(0, SECRET_BYTES)).buffer }).base32;

export const otpauthUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: DIGITS,
    period: CODE_PERIOD / 1_000,
  }).toString();

/** Returns the code of a step (RFC 6238: SHA-1, 6 digits). `secret` is base32. */
export function codeAt(secret: string, step: number): string {
  return HOTP.generate({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: DIGITS, counter: step });
}

/** Compares all candidates in constant time. The caller must reject a step that was accepted before. */
export function matchingStep(secret: string, code: string, now: Instant): number | null {
  let match: number | null = null;
  for (const offset of WINDOW) {
    const step = stepAt(now) + offset;
    const isEqual = equalInConstantTime(code, codeAt(secret, step));
    match = isEqual ? step : match;
  }
  return match;
}

type FactorOwner = { userId: string; email: string; fullName: string; encryptedSecret: string | null };

/**
 * The statements consume the code and come first in their batch, which fails if another request has used the same code.
 */
type FactorProof = { ok: true; statements: Statement[]; codesLeft?: number } | { ok: false; failure: MfaFailure };

/** Checks a code of either method. The caller must have reserved an attempt. Throws when the secret is unreadable. */
export function verifyFactor(ctx: Ctx, owner: FactorOwner, { method, code }: TypedCode): Promise<FactorProof> {
  return method === "backup_code" ? proveBackupCode(ctx, owner, normalizeCode(code)) : proveTotp(ctx, owner, code);
}

async function proveTotp(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  { userId, encryptedSecret }: FactorOwner,
  code: string,
): Promise<FactorProof> {
  if (!/^[0-9]{6}$/.test(code)) return { ok: false, failure: "malformed" };
  invariant(encryptedSecret, "There is no factor to check the code against");
  const secret = decryptValue(ctx.config, totpSecretContext(userId), encryptedSecret);
  const step = matchingStep(secret, code, ctx.now());
  if (step === null) return { ok: false, failure: "wrong_code" };
  const advanceStep = ctx.db
    .update(userMfaSettings)
    .set({ last_totp_step: step })
    .where(
      and(
        eq(userMfaSettings.user_id, userId),
        eq(userMfaSettings.is_enabled, 1),
        lt(userMfaSettings.last_totp_step, step),
      ),
    );
  return { ok: true, statements: [advanceStep, expectChange(ctx.db)] };
}

async function proveBackupCode(ctx: Ctx, { userId, email, fullName }: FactorOwner, code: string): Promise<FactorProof> {
  if (!isCode(code)) return { ok: false, failure: "wrong_code" };
  const codes = await ctx.db
    .select({ salt: mfaBackupCodes.salt, hash: mfaBackupCodes.code_hash, usedAt: mfaBackupCodes.used_at })
    .from(mfaBackupCodes)
    .where(eq(mfaBackupCodes.user_id, userId))
    .limit(50);
  const salt = codes[0]?.salt;
  if (!salt) return { ok: false, failure: "wrong_code" };
  const hash = await runInHashQueue(() => hashBackupCode(ctx.config.PASSWORD_PEPPER_1, code, salt));
  const match = codes.find((stored) => stored.hash === hash);
  if (!match) return { ok: false, failure: "wrong_code" };
  if (match.usedAt !== null) return { ok: false, failure: "replayed_code" };
  const codesLeft = codes.filter(({ usedAt }) => usedAt === null).length - 1;
  const use = ctx.db
    .update(mfaBackupCodes)
    .set({ used_at: ctx.now() })
    .where(
      and(
        eq(mfaBackupCodes.user_id, userId),
        eq(mfaBackupCodes.code_hash, hash),
        isNull(mfaBackupCodes.used_at),
        sql`exists (select 1 from user_mfa_settings where user_id = ${userId} and is_enabled = 1)`,
      ),
    );
  return {
    ok: true,
    codesLeft,
    statements: [
      use,
      expectChange(ctx.db),
      ...recordMfaEvent(ctx, { userId, fullName }, { action: "backup_code_used", method: "backup_code" }),
      ...securityMail(ctx, { userId, email }, "backup-code-used", { codesLeft }),
    ],
  };
}

export type ReservedAttempt = { userId: string; attemptsLeft: number };

/** Counts one attempt. Null: the challenge is consumed, expired, unknown or no longer matches the account. */
export async function reserveAttempt(
  ctx: Pick<Ctx, "db" | "now">,
  challengeHash: string,
  kind: "verify" | "setup",
): Promise<ReservedAttempt | null> {
  const [row] = await ctx.db
    .update(authChallenges)
    .set({ attempts: sql`${authChallenges.attempts} + 1` })
    .where(
      and(
        eq(authChallenges.id_hash, challengeHash),
        eq(authChallenges.kind, kind),
        lt(authChallenges.attempts, authChallenges.max_attempts),
        isNull(authChallenges.consumed_at),
        gt(authChallenges.expires_at, ctx.now()),
        sql`${authChallenges.epoch} = (select auth_epoch from users where id = ${authChallenges.user_id} and status = 'active')`,
      ),
    )
    .returning({
      userId: authChallenges.user_id,
      attempts: authChallenges.attempts,
      maximum: authChallenges.max_attempts,
    });
  return row ? { userId: row.userId, attemptsLeft: row.maximum - row.attempts } : null;
}

/** Gives back a reserved attempt when no code was checked; with a user id, also the attempt in their hourly limit. */
export function giveBackAttempt(ctx: Pick<Ctx, "db">, challengeHash: string, userId?: string): Promise<boolean> {
  return commit(ctx.db, [
    ctx.db
      .update(authChallenges)
      .set({ attempts: sql`max(0, ${authChallenges.attempts} - 1)` })
      .where(eq(authChallenges.id_hash, challengeHash)),
    ...(userId ? [giveBackLimit(ctx.db, "mfa", userId)] : []),
  ]);
}

export const consumeChallenge = (ctx: Pick<Ctx, "db" | "now">, challengeHash: string, epoch: number): Statement[] => [
  ctx.db
    .update(authChallenges)
    .set({ consumed_at: ctx.now() })
    .where(
      and(
        eq(authChallenges.id_hash, challengeHash),
        eq(authChallenges.epoch, epoch),
        isNull(authChallenges.consumed_at),
        gt(authChallenges.expires_at, ctx.now()),
      ),
    ),
  expectChange(ctx.db),
];

const encryptionContext = (userId: string) => `backup-codes:${userId}`;

/** Makes a set of backup codes without storing it. Hashing all ten takes half as long as hashing a password. */
export async function prepareBackupCodes(
  ctx: Ctx,
  userId: string,
): Promise<{ codes: string[]; statements: Statement[]; show: () => void }> {
  const salt = newSalt();
  const setId = ctx.newId("set");
  const codes = Array.from({ length: CODES_PER_SET }, () => codeFrom(Buffer.from(ctx.newToken(), "base64url")));
  const hashes = await runInHashQueue(() => hashesOf(ctx, codes, salt));
  const row = { user_id: userId, set_id: setId, salt, created_at: ctx.now() };
  const rows = hashes.map((code_hash) => ({ ...row, id: ctx.newId("bkc"), code_hash }));
  return {
    codes,
    statements: [
      ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
      ...rows.map((row) => ctx.db.insert(mfaBackupCodes).values(row)),
    ],
    show: () => setCodesCookie(ctx, encryptValue(ctx.config, encryptionContext(userId), JSON.stringify(codes))),
  };
}

const hashesOf = (ctx: Pick<Ctx, "config">, codes: readonly string[], salt: string): string[] =>
  codes.map((code) => hashBackupCode(ctx.config.PASSWORD_PEPPER_1, code, salt));

/** Once: loading the page again does not show them. */
export function takeNewCodes(ctx: Pick<Ctx, "config" | "request" | "setCookie">, userId: string): string[] | null {
  const encrypted = codesCookieOf(ctx);
  if (!encrypted) return null;
  deleteCodesCookie(ctx);
  try {
    return JSON.parse(decryptValue(ctx.config, encryptionContext(userId), encrypted)) as string[];
  } catch {
    // The cookie is another person's, or damaged.
    return null;
  }
}

/** Returns those texts that are codes of the person's current set. Codes that a form posts back are not trusted. */
export async function ownCodes(
  ctx: Pick<Ctx, "config" | "db">,
  userId: string,
  typed: readonly string[],
): Promise<string[]> {
  const stored = await ctx.db
    .select({ salt: mfaBackupCodes.salt, hash: mfaBackupCodes.code_hash })
    .from(mfaBackupCodes)
    .where(eq(mfaBackupCodes.user_id, userId))
    .limit(CODES_PER_SET);
  const salt = stored[0]?.salt;
  if (!salt) return [];
  const codes = typed.slice(0, CODES_PER_SET).map(normalizeCode);
  const hashes = await runInHashQueue(() => hashesOf(ctx, codes, salt));
  return codes.filter((_, index) => stored.some((row) => row.hash === hashes[index]));
}

export async function countBackupCodes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(mfaBackupCodes)
    .where(sql`${mfaBackupCodes.user_id} = ${userId} and ${mfaBackupCodes.used_at} is null`);
  return row?.count ?? 0;
}
