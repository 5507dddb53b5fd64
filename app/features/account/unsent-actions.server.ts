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
  // A page of an earlier session, or none of ours: the text stays where it is, and is shown anew.
  invalid: () => done({ to: HELD_FORM_PATH }),
};

/**
 * Sends a form on that met the end of its session, or lets go of it. Its own fields are not read here: a 307 makes the
 * browser post them again, to the address that lies sealed with them and nowhere else, and the page they belong to
 * checks them like every other form.
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

async function take(ctx: Ctx, signedIn: SignedIn, goOn: (path: string) => Promise<Result>): Promise<Result> {
  const held = await findHeldForm(ctx, signedIn);
  dropHeldFormCookie(ctx);
  if (held) return goOn(held.path);
  const message = "It was sent or let go already, or it waited too long.";
  return done({ to: "/profile", flash: { kind: "info", title: "Nothing was sent", message } });
}
