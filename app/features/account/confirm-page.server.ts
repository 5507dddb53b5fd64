import { returnPath } from "~/features/auth/model";
import { CONFIRM_IDENTITY_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ACCOUNT_PURPOSE } from "./account-form.server";

/** Loads the data of the step-up page, which asks for a proof of identity and then redirects back. */
export function loadConfirmPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const redirectTo = returnPath(query.get("redirectTo"));
  const page = redirectTo ? withRedirectTo(CONFIRM_IDENTITY_PATH, redirectTo) : CONFIRM_IDENTITY_PATH;
  const isBackup = query.get("method") === "backup";
  const withBackup = withParams(page, { method: "backup" });
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    action: isBackup ? withBackup : page,
    otherMethodTo: isBackup ? page : withBackup,
    method: isBackup ? ("backup" as const) : ("totp" as const),
    email: signedIn.email,
    mfaEnabled: signedIn.mfaEnabled,
    hasErrors: ctx.form.isRejected,
  };
}
