import { findEnrollment } from "~/features/auth/factor-commands.server";
import { countBackupCodes, takeNewCodes } from "~/features/auth/factors.server";
import { mayDisableMfa, mfaRequirementNotice, returnPath } from "~/features/auth/model";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";
import { MFA_CHANGES, type MfaChange } from "./model";

/** Loads the data of the MFA page. */
export async function loadMfaPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const step = query.get("step");
  const allowed: readonly string[] = MFA_CHANGES[signedIn.mfaEnabled ? "on" : "off"].filter(
    (change) => change !== "disable" || mayDisableMfa(signedIn),
  );
  const requested = query.get("do") ?? "";
  const enrollment = step === "setup" ? await findEnrollment(ctx, signedIn) : null;
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    email: signedIn.email,
    isEnabled: signedIn.mfaEnabled,
    /** Holds the notice about a missing required factor. */
    mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
    /** Tells whether it may be switched off: staff may, but must set it up again before they can continue. */
    mayDisable: mayDisableMfa(signedIn),
    codesUnsaved: signedIn.codesUnsaved,
    codesLeft: signedIn.mfaEnabled ? await countBackupCodes(ctx.db, signedIn.userId) : 0,
    change: allowed.includes(requested) ? (requested as MfaChange) : null,
    method: query.get("method") === "backup" ? ("backup" as const) : ("totp" as const),
    /** Tells whether the address asks for a change of a factor that is not set up. */
    isNotFound: !signedIn.mfaEnabled && MFA_CHANGES.on.some((change) => change === requested),
    /** Tells whether the codes replace others, so that nothing was set up. */
    isRenewal: query.has("renewed"),
    isCodesStep: step === "codes",
    codes: step === "codes" ? takeNewCodes(ctx, signedIn.userId) : null,
    enrollment,
    showsKey: query.get("view") === "key",
    redirectTo: returnPath(query.get("redirectTo")),
    hasErrors: ctx.form.isRejected,
  };
}
