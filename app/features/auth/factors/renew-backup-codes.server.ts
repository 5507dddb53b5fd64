import { eq } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { userMfaSettings } from "~/db/schema/mfa";
import { recordAudit } from "~/features/audit/record-audit.server";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { userSubject } from "~/features/users/subject";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { confirmIdentity, type IdentityProof } from "../confirm-identity.server";
import type { TypedIdentity } from "../model";
import { securityMail } from "../security-mail.server";
import { prepareSession } from "../sessions/start-session.server";
import { prepareBackupCodes } from "./prepare-backup-codes.server";

type RenewedCodes = IdentityProof | { ok: false; error: { code: "factor_not_found" } };

/** Replaces the whole set of backup codes, with password and factor proved in the same form. */
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

/** Records that the person has saved their codes, which removes the reminder. */
export async function confirmCodesSaved(ctx: Pick<Ctx, "db">, userId: string): Promise<void> {
  await ctx.db.update(userMfaSettings).set({ codes_unsaved: 0 }).where(eq(userMfaSettings.user_id, userId));
}
