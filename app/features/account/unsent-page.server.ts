import { json, redirect } from "@remix-run/cloudflare";
import { eq } from "drizzle-orm";
import { brand } from "~/content/brand";
import { commit } from "~/db/client.server";
import { heldForms } from "~/db/schema/sessions";
import { destinationOf, returnPath } from "~/features/auth/model";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { dropHeldFormCookie } from "~/platform/cookies.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { redirectWithFlash } from "~/platform/responses.server";
import { findHeldForm, HELD_FORM_PATH, TYPED_FIELDS } from "./held-form.server";

const PURPOSE = "unsent";

/** After the sign-in: what was typed before it, with a button that sends it. Without such a form: straight on. */
export async function loadUnsentPage(ctx: Ctx, signedIn: SignedIn) {
  const destination = destinationOf(signedIn, returnPath(ctx.request.url.searchParams.get("redirectTo")), brand.domain);
  const form = await findHeldForm(ctx, signedIn);
  if (!form) {
    dropHeldFormCookie(ctx);
    throw redirect(destination, 303);
  }
  return json({
    action: HELD_FORM_PATH,
    token: issueFormToken(ctx, PURPOSE),
    /** For the page the form is on its way to; there it stands for one sending, however often the button is pressed. */
    formToken: issueFormToken(ctx, form.purpose),
    fields: form.fields.map(([name, value], place) => {
      const typed = Object.hasOwn(TYPED_FIELDS, name) ? TYPED_FIELDS[name] : undefined;
      return { place, name, value, label: typed?.label ?? null, isLong: typed?.isLong === true };
    }),
  });
}

/**
 * Sends the form on: a 307 lets the browser post the very same fields again, to the address that lies sealed with them
 * and nowhere else. The page they belong to then checks them like every other form. Or lets go of it.
 */
export async function answerUnsentPage(ctx: Ctx, signedIn: SignedIn, request: Request) {
  const posted = await request.formData();
  const token = checkFormToken(ctx, PURPOSE, String(posted.get("unsent_token") ?? ""));
  // A page of an earlier session, or none of ours: the text stays where it is, and is shown anew.
  if (!token.ok) return redirect(HELD_FORM_PATH, 303);
  const form = await findHeldForm(ctx, signedIn);
  dropHeldFormCookie(ctx);
  if (!form) {
    const message = "It was sent or let go already, or it waited too long.";
    return redirectWithFlash(ctx, "/profile", { kind: "info", title: "Nothing was sent", message });
  }
  if (posted.get("unsent") === "send") return redirect(form.path, 307);
  await commit(ctx.db, [ctx.db.delete(heldForms).where(eq(heldForms.user_id, signedIn.userId))]);
  return redirect(form.path, 303);
}
