import { EMAIL_CONFIRMED, TITLES } from "~/features/auth/copy";
import { accountError, invalidAuthForm } from "~/features/auth/form-errors.server";
import { ConfirmSignUpForm } from "~/features/auth/forms.server";
import { lookUpLink, type OpenLink } from "~/features/auth/mail-links.server";
import { linkPurpose } from "~/features/sign-in/link-page.server";
import { CLIENT_SIGN_IN_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { withoutSecrets } from "~/lib/form";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { type Confirmation, confirmAsTyped, confirmFromDraft } from "./confirm-sign-up.server";

const purpose = linkPurpose("verify_email");

/**
 * Opens a new account with the link that confirms its address: with what this browser typed at the sign-up, or with
 * what is typed on the page of the link.
 */
export const verifyEmailActions = formActions<null, null, ValidationError>({
  reading: { raw: ["password"] },
  secrets: ["password"],
})({
  confirm: {
    purpose,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { fields }) => confirm(ctx, fields, (link) => confirmFromDraft(ctx, link)),
  },
  confirm_typed: {
    purpose,
    form: ConfirmSignUpForm,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { input, fields }) => confirm(ctx, fields, (link) => confirmAsTyped(ctx, link, input)),
  },
});

/** Confirms with the link this browser opened last, if it is the one that the page of the form showed. */
async function confirm(
  ctx: Ctx,
  fields: Record<string, string>,
  use: (link: OpenLink) => Promise<Confirmation>,
): Promise<ActionResult<ValidationError>> {
  const failed = (error: Extract<Confirmation, { ok: false }>["error"]) => {
    const values = withoutSecrets(fields, ["password", "form_token"]);
    return accountError(ctx, { title: TITLES.signUp, error, values, ids: { new_password: "password" } });
  };
  const found = await lookUpLink(ctx, "verify_email", fields.link);
  if (found.kind === "blocked") return failed({ code: "too_many_attempts", retryAt: found.retryAt });
  if (found.kind !== "open") return failed({ code: found.kind === "other" ? "link_other" : "link_invalid" });
  const confirmed = await use(found.link);
  if (!confirmed.ok) return failed(confirmed.error);
  const { next } = confirmed;
  const to = next.ok && next.value.at === "signed_in" ? next.value.destination : CLIENT_SIGN_IN_PATH;
  return done({ to, flash: { kind: "success", ...EMAIL_CONFIRMED } });
}
