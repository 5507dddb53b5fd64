import { eq } from "drizzle-orm";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/mfa";
import { recordAudit } from "~/features/audit/record-audit.server";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { userSubject } from "~/features/users/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { changeCredentials } from "../change-credentials.server";
import { confirmIdentity, type IdentityProof } from "../confirm-identity.server";
import type { TypedIdentity } from "../model";
import { securityMail } from "../security-mail.server";
import { mayDisableMfa } from "./mfa-requirement";

type DisableTotpResult = IdentityProof | { ok: false; error: { code: "factor_required" | "factor_not_found" } };

/**
 * Switches the second factor off, with password and factor proved in the same form. All other sessions end. Staff keep
 * a session, but may open nothing but the set-up until a factor is set up again. Fails while an organization of the
 * person requires the factor.
 */
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
