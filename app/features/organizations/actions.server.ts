import { EMAIL_CONFIRMED } from "~/features/auth/copy";
import { linkActions, linkError } from "~/features/sign-in/link-page.server";
import { done } from "~/platform/action-result";
import { confirmSignUp } from "./confirm-sign-up.server";

/** Activates a new account with the link that confirms its address. */
export const verifyEmailActions = linkActions("verify_email", async (ctx, link) => {
  if (!(await confirmSignUp(ctx, link))) return linkError();
  return done({ to: "/client/auth", flash: { kind: "success", ...EMAIL_CONFIRMED } });
});
