import { SENTENCES } from "~/features/auth/copy";
import { CLEAR_SITE_DATA, endSession } from "~/features/auth/sessions/end-session.server";
import { STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";

/** Handles the form "Sign Out", which is on every page of a signed-in person. */
export const signOutActions = formActions<null, null, never>({ intentField: null })({
  "sign-out": {
    purpose: "sign-out",
    invalid: (problem, _submitted, ctx) => {
      // An expired token may still sign out, on a page open for days; a token of another session or site may not.
      const isOld = problem.code === "token" && problem.error === "token_expired";
      if (!ctx.signedIn || isOld) return signOut(ctx);
      return done({
        to: "/",
        flash: { kind: "error", title: "Sign Out Failed", message: SENTENCES.form_not_accepted },
        newDocument: true,
      });
    },
    run: signOut,
  },
});

async function signOut(ctx: Ctx): Promise<ActionResult<never>> {
  await endSession(ctx);
  return done({
    to: STAFF_SIGN_IN_PATH,
    flash: { kind: "success", title: "Signed out", message: "You're signed out." },
    newDocument: true,
    clearSiteData: CLEAR_SITE_DATA,
  });
}
