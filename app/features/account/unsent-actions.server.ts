import { eq } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { unsentForms } from "~/db/schema/sessions";
import { PROFILE_PATH } from "~/lib/addresses";
import { type ActionResult, done, forwarded } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteUnsentFormCookie } from "~/platform/cookies.server";
import { formActions } from "~/platform/form-actions.server";
import { findUnsentForm, UNSENT_FORM_PATH } from "./unsent-form.server";
import { UNSENT_PURPOSE } from "./unsent-page.server";

const form = {
  purpose: UNSENT_PURPOSE,
  // The token is of an earlier session or forged: the unsent form stays stored and is shown again.
  invalid: () => done({ to: UNSENT_FORM_PATH }),
};

/**
 * Sends an unsent form or discards it. The fields of the form are not read here: a 307 makes the browser post them
 * again, to the path that is stored with them in the encrypted row, where they are checked like every other form.
 */
export const unsentActions = formActions<SignedIn, null, never>({
  reading: { only: ["unsent", "unsent_token"] },
  intentField: "unsent",
  tokenField: "unsent_token",
})({
  send: { ...form, run: (ctx, signedIn) => take(ctx, signedIn, async (path) => forwarded(path)) },
  discard: {
    ...form,
    run: (ctx, signedIn) =>
      take(ctx, signedIn, async (path) => {
        await commit(ctx.db, [ctx.db.delete(unsentForms).where(eq(unsentForms.user_id, signedIn.userId))]);
        return done({ to: path });
      }),
  },
});

type FormResult = ActionResult<never>;

async function take(ctx: Ctx, signedIn: SignedIn, next: (path: string) => Promise<FormResult>): Promise<FormResult> {
  const unsent = await findUnsentForm(ctx, signedIn);
  deleteUnsentFormCookie(ctx);
  if (unsent) return next(unsent.path);
  const message = "It was already sent or discarded, or it has expired.";
  return done({ to: PROFILE_PATH, flash: { kind: "info", title: "Nothing was sent", message } });
}
