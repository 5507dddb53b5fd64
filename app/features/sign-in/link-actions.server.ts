import { confirmEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import { ALL_SIGNED_OUT, EMAIL_CHANGED, EMAIL_UNDONE } from "~/features/auth/copy";
import { endSessionsByLink } from "~/features/auth/sessions/revoke-sessions.server";
import { PASSWORD_RESET_PATH, PROFILE_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { done } from "~/platform/action-result";
import { linkActions, linkError } from "./link-page.server";

/** Ends all sessions of the account ("This wasn't me"). */
export const notMeActions = linkActions("not_me", async (ctx, link) => {
  if (!(await endSessionsByLink(ctx, link))) return linkError();
  return done({ to: PASSWORD_RESET_PATH, flash: { kind: "success", ...ALL_SIGNED_OUT } });
});

/** Confirms a new address. */
export const emailChangeActions = linkActions("email_change", async (ctx, link) => {
  const changed = await confirmEmailChange(ctx, link);
  if (!changed.ok) return linkError(changed.code);
  return done({
    to: changed.staysSignedIn ? PROFILE_PATH : STAFF_SIGN_IN_PATH,
    flash: { kind: "success", ...EMAIL_CHANGED },
  });
});

/** Puts the old address back. */
export const emailUndoActions = linkActions("email_undo", async (ctx, link) => {
  const undone = await undoEmailChange(ctx, link);
  if (!undone.ok) return linkError(undone.code);
  return done({ to: PASSWORD_RESET_PATH, flash: { kind: "success", ...EMAIL_UNDONE } });
});
