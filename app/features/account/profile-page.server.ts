import { mfaRequirementNotice } from "~/features/auth/factors/mfa-requirement";
import { findPendingEmail } from "~/features/auth/queries.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/** Loads the data of the profile page. */
export async function loadProfilePage(ctx: Ctx, signedIn: SignedIn) {
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    fullName: signedIn.fullName,
    email: signedIn.email,
    pendingEmail: await findPendingEmail(ctx.db, signedIn.userId, ctx.now()),
    mfaEnabled: signedIn.mfaEnabled,
    mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
    hasErrors: ctx.request.method === "POST",
  };
}
