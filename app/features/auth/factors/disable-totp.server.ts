import { eq } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/mfa";
import { recordAudit } from "~/features/audit/record-audit.server";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { confirmIdentity, type IdentityProof, type TypedIdentity } from "../confirm-identity.server";
import { securityMail } from "../security-mail.server";
import { prepareSession } from "../sessions/start-session.server";
import { raiseEpoch } from "./enroll-totp.server";
import { mayDisableMfa } from "./mfa-requirement";

export type FactorRemoval = IdentityProof | { ok: false; error: { code: "factor_required" } };

/**
 * Switches the second factor off, with password and factor proved in the same form. All other sessions end. Staff keep a
 * session, but everything is closed to them until a factor is set up again. Refused as long as an organization of the
 * person demands the factor.
 */
export async function disableTotp(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<FactorRemoval> {
  if (!mayDisableMfa(signedIn)) return { ok: false, error: { code: "factor_required" } };
  const proof = await confirmIdentity(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  const { person } = proof;
  const { userId } = person;
  const session = prepareSession(
    ctx,
    { ...person, mfaEnabled: false, epoch: person.epoch + 1 },
    { aal: 1, isRenewal: true },
  );
  const written = await commit(ctx.db, [
    ...proof.statements,
    ...raiseEpoch(ctx, person),
    ctx.db
      .update(userMfaSettings)
      .set({ is_enabled: 0, totp_secret: null, codes_unsaved: 0, updated_at: ctx.now() })
      .where(eq(userMfaSettings.user_id, userId)),
    ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
    ...session.statements,
    ...recordMfaEvent(ctx, person, { action: "disable", method: typed.method }),
    recordAudit(ctx, "mfa.disabled", { objectType: "mfa", objectId: userId }),
    ...securityMail(ctx, person, "factor-changed", { change: "disabled" }),
  ]);
  if (!written) return { ok: false, error: { code: "code_wrong" } };
  session.arrive();
  ctx.after(ctx.live.disconnect("staff", `u:${userId}`));
  ctx.after(ctx.live.notify("staff"));
  ctx.after(deliverOutbox(ctx));
  return proof;
}
