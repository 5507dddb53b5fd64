import { and, eq, gt } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { mfaEnrollments, userMfaSettings } from "~/db/schema/mfa";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import { type Duration, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { clearLimit } from "~/platform/rate-limit.server";
import { changeCredentials } from "../change-credentials.server";
import { type EnrollmentError, type ProvenPerson, totpSecretContext } from "../model";
import { securityMail } from "../security-mail.server";
import { prepareBackupCodes } from "./prepare-backup-codes.server";
import { type QrCode, qrCodeOf } from "./qr-code.server";
import { matchingStep, otpauthUri, secretFrom } from "./totp.server";

/** Limits the time between showing a secret and its first code. */
const ENROLLMENT_LIFETIME: Duration = minutes(10);

/** Binds the encrypted secret to its row. */
export const enrollmentContext = (userId: string): string => `mfa_enrollments:secret:${userId}`;

/**
 * Returns the statement that stores a new secret for a person and replaces one that was shown before. The secret never
 * comes from a browser, and it becomes a factor only when a code of it has been typed.
 */
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

/** Holds what the set-up page shows. */
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

/**
 * Returns the secret that has no first code yet, to show it to its owner; null when there is none or it has expired.
 */
export async function findEnrollment(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "now">,
  person: { userId: string; email: string },
): Promise<Enrollment | null> {
  const stored = await findStored(ctx, person.userId);
  if (!stored) return null;
  const { totpIssuer } = await effectiveBrand(ctx);
  return { secret: stored.secret, qr: qrCodeOf(otpauthUri(stored.secret, totpIssuer, person.email)) };
}

type FirstCode = {
  person: ProvenPerson;
  code: string;
  /** Holds the statements that consume the challenge or the link, for the same batch. */
  uses?: Statement[];
};

/**
 * Makes the shown secret the person's second factor with its first code. One batch: the enrollment is deleted, the
 * secret becomes the factor with its step already used, a new set of backup codes replaces the old one, every session
 * ends and this browser gets a new one. The caller must have reserved an attempt.
 */
export async function completeEnrollment(
  ctx: Ctx,
  { person, code, uses = [] }: FirstCode,
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
