import { and, eq, gt } from "drizzle-orm";
import { create } from "qrcode";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/security";
import { authChallenges } from "~/db/schema/sessions";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit, recordMfaEvent } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { userSubject } from "~/features/users/model";
import { fail, ok, type Result } from "~/lib/errors";
import { type Duration, minutes } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { CHALLENGE_LIFETIME, setChallengeCookie } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { clearLimit } from "~/platform/rate-limits.server";
import { confirmIdentity, type IdentityProof } from "./confirm-identity.server";
import { matchingStep, otpauthUri, prepareBackupCodes, secretFrom } from "./factors.server";
import { securityMail } from "./mail-links.server";
import {
  CHALLENGE_ATTEMPTS,
  type EnrollmentError,
  mayDisableMfa,
  type ProvenPerson,
  type TypedIdentity,
  totpSecretContext,
} from "./model";
import { changeCredentials, prepareSession } from "./sessions.server";

type QrCode = { size: number; path: string };

/** Adjacent dark modules of a row become one rectangle, which keeps the path short. */
function qrCodeOf(text: string): QrCode {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const start = column;
      while (column < size && data[row * size + column]) column += 1;
      if (column > start) path += `M${start} ${row}h${column - start}v1H${start}z`;
    }
  }
  return { size, path };
}

const ENROLLMENT_LIFETIME: Duration = minutes(10);

export const enrollmentContext = (userId: string): string => `mfa_enrollments:secret:${userId}`;

/** The secret never comes from a browser, and becomes a factor only when a code of it has been typed. */
export function beginEnrollment(ctx: Pick<Ctx, "config" | "db" | "now" | "newToken">, userId: string): Statement {
  const secret = secretFrom(Buffer.from(ctx.newToken(), "base64url"));
  const row = {
    secret_enc: encryptValue(ctx.config, enrollmentContext(userId), secret),
    expires_at: ctx.now() + ENROLLMENT_LIFETIME,
  };
  return ctx.db
    .insert(mfaEnrollments)
    .values({ user_id: userId, ...row })
    .onConflictDoUpdate({ target: mfaEnrollments.user_id, set: row });
}

export type Enrollment = { secret: string; qr: QrCode };

type StoredEnrollment = { encrypted: string; secret: string };

async function findStored(ctx: Pick<Ctx, "config" | "db" | "now">, userId: string): Promise<StoredEnrollment | null> {
  const [row] = await ctx.db
    .select({ encrypted: mfaEnrollments.secret_enc })
    .from(mfaEnrollments)
    .where(and(eq(mfaEnrollments.user_id, userId), gt(mfaEnrollments.expires_at, ctx.now())))
    .limit(1);
  return row
    ? { encrypted: row.encrypted, secret: decryptValue(ctx.config, enrollmentContext(userId), row.encrypted) }
    : null;
}

export async function findEnrollment(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "now">,
  person: { userId: string; email: string },
): Promise<Enrollment | null> {
  const stored = await findStored(ctx, person.userId);
  if (!stored) return null;
  const { totpIssuer } = await effectiveBrand(ctx);
  return { secret: stored.secret, qr: qrCodeOf(otpauthUri(stored.secret, totpIssuer, person.email)) };
}

/**
 * One batch: factor with its step used, new backup codes, every session ends. The caller must have reserved an attempt.
 */
export async function completeEnrollment(
  ctx: Ctx,
  { person, code, uses = [] }: { person: ProvenPerson; code: string; uses?: Statement[] },
): Promise<Result<undefined, EnrollmentError>> {
  if (code === "") return fail("enrollment_code_missing");
  const { userId } = person;
  const stored = await findStored(ctx, userId);
  if (!stored) return fail("enrollment_invalid");
  const step = /^[0-9]{6}$/.test(code) ? matchingStep(stored.secret, code, ctx.now()) : null;
  if (step === null) {
    await commit(ctx.db, recordMfaEvent(ctx, person, { action: "setup", method: "totp", failure: "wrong_code" }));
    ctx.after(ctx.live.notify("staff"));
    return fail("enrollment_code_wrong");
  }

  const change = person.mfaEnabled ? "reconfigured" : "enabled";
  const backup = await prepareBackupCodes(ctx, userId);
  const written = await changeCredentials(ctx, person, {
    uses: [
      ctx.db
        .delete(mfaEnrollments)
        .where(
          and(
            eq(mfaEnrollments.user_id, userId),
            eq(mfaEnrollments.secret_enc, stored.encrypted),
            gt(mfaEnrollments.expires_at, ctx.now()),
          ),
        ),
      expectChange(ctx.db),
      ...uses,
    ],
    changes: [
      storeFactor(ctx, userId, { secret: stored.secret, step }),
      ...backup.statements,
      clearLimit(ctx.db, "mfa", userId),
    ],
    session: { person: { ...person, mfaEnabled: true }, aal: 2, isRenewal: ctx.signedIn !== null },
    audit: [
      ...recordMfaEvent(ctx, person, { action: "setup", method: "totp" }),
      recordAudit(ctx, change === "enabled" ? "mfa.enabled" : "mfa.reconfigured", {
        subject: userSubject(person),
        actor: toAuditActor(person),
      }),
    ],
    mail: securityMail(ctx, person, "factor-changed", { change }),
  });
  if (!written) return fail("enrollment_invalid");
  backup.show();
  ctx.after(ctx.live.notify("staff"));
  return ok(undefined);
}

function storeFactor(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  userId: string,
  { secret, step }: { secret: string; step: number },
): Statement {
  const row = {
    is_enabled: 1,
    totp_secret: encryptValue(ctx.config, totpSecretContext(userId), secret),
    last_totp_step: step,
    codes_unsaved: 1,
    setup_needs_link: 0,
    updated_at: ctx.now(),
  };
  return ctx.db
    .insert(userMfaSettings)
    .values({ user_id: userId, ...row })
    .onConflictDoUpdate({ target: userMfaSettings.user_id, set: row });
}

/** The browser gets only the id of the challenge: there is no session until the second factor has been proved. */
export async function startChallenge(
  ctx: Ctx,
  person: ProvenPerson,
  { kind, redirectTo }: { kind: "verify" | "setup"; redirectTo: string | null },
): Promise<void> {
  const now = ctx.now();
  const challengeId = ctx.newToken();
  const challenge = ctx.db.insert(authChallenges).values({
    id_hash: hashToken(challengeId),
    user_id: person.userId,
    kind,
    max_attempts: CHALLENGE_ATTEMPTS,
    epoch: person.epoch,
    redirect_to: redirectTo,
    created_at: now,
    expires_at: now + CHALLENGE_LIFETIME,
  });
  await commit(ctx.db, [challenge, ...(kind === "setup" ? [beginEnrollment(ctx, person.userId)] : [])]);
  setChallengeCookie(ctx, challengeId);
}

type DisableTotpResult = IdentityProof | { ok: false; error: { code: "factor_required" | "factor_not_found" } };

/** All other sessions end. Fails while an organization of the person requires the factor. */
export async function disableTotp(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<DisableTotpResult> {
  if (!mayDisableMfa(signedIn)) return { ok: false, error: { code: "factor_required" } };
  const proof = await confirmIdentity(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  if (!proof.account.mfaEnabled) return { ok: false, error: { code: "factor_not_found" } };
  const { person } = proof;
  const { userId } = person;
  const written = await changeCredentials(ctx, person, {
    uses: proof.statements,
    changes: [
      ctx.db
        .update(userMfaSettings)
        .set({ is_enabled: 0, totp_secret: null, codes_unsaved: 0, updated_at: ctx.now() })
        .where(eq(userMfaSettings.user_id, userId)),
      ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
    ],
    session: { person: { ...person, mfaEnabled: false }, aal: 1, isRenewal: true },
    audit: [
      ...recordMfaEvent(ctx, person, { action: "disable", method: typed.method }),
      recordAudit(ctx, "mfa.disabled", { subject: userSubject(person) }),
    ],
    mail: securityMail(ctx, person, "factor-changed", { change: "disabled" }),
  });
  if (!written) return { ok: false, error: { code: "code_wrong" } };
  ctx.after(ctx.live.notify("staff"));
  return proof;
}

type RenewedCodes = IdentityProof | { ok: false; error: { code: "factor_not_found" } };

export async function renewBackupCodes(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<RenewedCodes> {
  const proof = await confirmIdentity(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  if (!proof.account.mfaEnabled) return { ok: false, error: { code: "factor_not_found" } };
  const { person } = proof;
  const { userId } = person;
  const backup = await prepareBackupCodes(ctx, userId);
  const session = prepareSession(ctx, person, { aal: 2, isRenewal: true });
  const written = await commit(ctx.db, [
    ...proof.statements,
    ...backup.statements,
    ctx.db.update(userMfaSettings).set({ codes_unsaved: 1 }).where(eq(userMfaSettings.user_id, userId)),
    ...session.statements,
    ...recordMfaEvent(ctx, person, { action: "regenerate", method: typed.method }),
    recordAudit(ctx, "mfa.codes_renewed", { subject: userSubject(person) }),
    ...securityMail(ctx, person, "factor-changed", { change: "codes_renewed" }),
  ]);
  if (!written) return { ok: false, error: { code: "code_wrong" } };
  session.onCommitted();
  backup.show();
  ctx.after(deliverOutbox(ctx));
  return proof;
}

export async function confirmCodesSaved(ctx: Pick<Ctx, "db">, userId: string): Promise<void> {
  await ctx.db.update(userMfaSettings).set({ codes_unsaved: 0 }).where(eq(userMfaSettings.user_id, userId));
}
