import { destinationOf, returnPath } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { textField } from "~/lib/form-fields";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteUnsentFormCookie } from "~/platform/cookies.server";
import { issueFormToken } from "~/platform/form-token.server";
import { redirectWithin } from "~/platform/route-responses.server";
import { findUnsentForm, UNSENT_FORM_PATH } from "./unsent-form.server";

export const UNSENT_PURPOSE = "unsent";

/** Loads the unsent form. Throws a redirect to the destination when there is none. */
export async function loadUnsentPage(ctx: Ctx, signedIn: SignedIn) {
  const destination = destinationOf(
    signedIn,
    returnPath(ctx.request.url.searchParams.get("redirectTo")),
    (await effectiveBrand(ctx)).domain,
  );
  const form = await findUnsentForm(ctx, signedIn);
  if (!form) {
    deleteUnsentFormCookie(ctx);
    throw redirectWithin(destination);
  }
  return {
    action: UNSENT_FORM_PATH,
    token: issueFormToken(ctx, UNSENT_PURPOSE),
    /** Holds the token for the page the form is posted to; it also keeps that page from processing the form twice. */
    formToken: issueFormToken(ctx, form.purpose),
    fields: form.fields.map(([name, value], index) => {
      const typed = textField(name);
      return { index, name, value, label: typed?.label ?? null, isLong: typed?.isMultiline === true };
    }),
  };
}
