import { EMAIL_CONFIRMED, TITLES } from "~/features/auth/copy";
import { accountError, invalidAuthForm } from "~/features/auth/form-errors.server";
import { type ConfirmedAccount, ConfirmSignUpForm } from "~/features/auth/forms.server";
import { lookUpLink } from "~/features/auth/mail-links.server";
import { linkPurpose } from "~/features/sign-in/link-page.server";
import { CLIENT_SIGN_IN_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { withoutSecrets } from "~/lib/form";
import { done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { type Confirmation, confirmSignUp } from "./confirm-sign-up.server";

const PASSWORD_FIELDS = ["password", "confirm_password"];

/** Opens a new account with the link that confirms its address, and with what is typed on the page of the link. */
export const verifyEmailActions = formActions<null, null, ValidationError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: PASSWORD_FIELDS,
  intentField: null,
})({
  confirm: {
    purpose: linkPurpose("verify_email"),
    form: ConfirmSignUpForm,
    invalid: invalidAuthForm(),
    run: async (ctx, _actor, { input, fields }) => {
      const confirmed = await confirmWithLink(ctx, input, fields.link);
      if (confirmed.ok) return done({ to: CLIENT_SIGN_IN_PATH, flash: { kind: "success", ...EMAIL_CONFIRMED } });
      const values = withoutSecrets(fields, [...PASSWORD_FIELDS, "form_token"]);
      const { error } = confirmed;
      return accountError(ctx, { title: TITLES.signUp, error, values, ids: { new_password: "password" } });
    },
  },
});

async function confirmWithLink(
  ctx: Ctx,
  account: ConfirmedAccount,
  shownMark: string | undefined,
): Promise<Confirmation> {
  const found = await lookUpLink(ctx, "verify_email", shownMark);
  if (found.kind === "open") return confirmSignUp(ctx, found.link, account);
  if (found.kind === "blocked") return { ok: false, error: { code: "too_many_attempts", retryAt: found.retryAt } };
  return { ok: false, error: { code: found.kind === "other" ? "link_other" : "link_invalid" } };
}
