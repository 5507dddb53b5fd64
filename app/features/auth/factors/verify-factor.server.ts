import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { expectChange, type Statement } from "~/db/client.server";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/mfa";
import type { MfaFailure } from "~/features/audit/model";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { invariant } from "~/lib/assert";
import type { Ctx } from "~/platform/context.server";
import { hashBackupCode } from "~/platform/crypto.server";
import { decryptValue } from "~/platform/data-keys.server";
import { runInHashQueue } from "~/platform/hash-queue.server";
import { type TypedCode, totpSecretContext } from "../model";
import { securityMail } from "../security-mail.server";
import { isCode, normalizeCode } from "./backup-codes";
import { matchingStep } from "./totp.server";

/** Names the owner of a factor, with the encrypted secret that TOTP codes are checked against. */
type FactorOwner = { userId: string; email: string; fullName: string; encryptedSecret: string | null };

/**
 * Holds the result of checking a code. The statements of a right code consume it and come first in the batch of what it
 * allows: if another request has used the same code before, that batch fails and nothing is written.
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
