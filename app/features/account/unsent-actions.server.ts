import { eq } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { heldForms } from "~/db/schema/sessions";
import { type ActionResult, done, forwarded } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { dropHeldFormCookie } from "~/platform/cookies.server";
import { formActions } from "~/platform/form-actions.server";
import { findHeldForm, HELD_FORM_PATH } from "./held-form.server";
import { UNSENT_PURPOSE } from "./unsent-page.server";

const form = {
  purpose: UNSENT_PURPOSE,
  // The page is of an earlier session or foreign: the held form stays stored and is shown again.
  invalid: () => done({ to: HELD_FORM_PATH }),
};

/**
 * Sends a held form or discards it. The fields of the form are not read here: a 307 makes the browser post them again,
 * to the path that is stored with them in the encrypted row, where they are checked like every other form.
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
        await commit(ctx.db, [ctx.db.delete(heldForms).where(eq(heldForms.user_id, signedIn.userId))]);
        return done({ to: path });
      }),
  },
});

type Result = ActionResult<never>;

async function take(ctx: Ctx, signedIn: SignedIn, next: (path: string) => Promise<Result>): Promise<Result> {
  const held = await findHeldForm(ctx, signedIn);
  dropHeldFormCookie(ctx);
  if (held) return next(held.path);
  const message = "It was already sent or discarded, or it has expired.";
  return done({ to: "/profile", flash: { kind: "info", title: "Nothing was sent", message } });
}
