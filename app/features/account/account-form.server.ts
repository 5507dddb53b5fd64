import { renewSession } from "~/features/auth/confirm-identity.server";
import { accountError, IdentityForm, invalidAuthForm, rejectForm } from "~/features/auth/forms.server";
import { IDENTITY_CONFIRMED, TITLES } from "~/features/auth/labels";
import { destinationOf, returnPath } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, PROFILE_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, done } from "~/platform/responses.server";

/** Names the one token purpose of all account forms; the tokens are bound to the session anyway. */
export const ACCOUNT_PURPOSE = "account";

export const PASSWORD_FIELDS = ["current_password", "new_password", "confirm_password"];

export const rejectAccountForm = (problem?: FormProblem): ActionResult<ValidationError> =>
  problem?.code === "fields" && problem.errors.form ? invalidAuthForm()(problem) : rejectForm(TITLES.security);

export const accountActions = (options: { intentField?: null } = {}) =>
  formActions<SignedIn, null, ValidationError>({
    reading: { raw: PASSWORD_FIELDS },
    secrets: [...PASSWORD_FIELDS, "code"],
    unknownIntent: () => rejectAccountForm(),
    ...options,
  });

export function loadConfirmPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const redirectTo = returnPath(query.get("redirectTo"));
  const page = redirectTo ? withRedirectTo(CONFIRM_IDENTITY_PATH, redirectTo) : CONFIRM_IDENTITY_PATH;
  const isBackup = query.get("method") === "backup";
  const withBackup = withParams(page, { method: "backup" });
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    action: isBackup ? withBackup : page,
    otherMethodTo: isBackup ? page : withBackup,
    method: isBackup ? ("backup" as const) : ("totp" as const),
    email: signedIn.email,
    mfaEnabled: signedIn.mfaEnabled,
    hasErrors: ctx.form.isRejected,
  };
}

export const confirmActions = accountActions({ intentField: null })({
  confirm: {
    purpose: ACCOUNT_PURPOSE,
    failed: "An error occurred during verification",
    form: IdentityForm,
    invalid: rejectAccountForm,
    run: async (ctx, signedIn, { input }) => {
      const proof = await renewSession(ctx, signedIn, input);
      if (!proof.ok) return accountError(ctx, { title: TITLES.verification, error: proof.error });
      // Back to the page the person came from, if they may open it.
      const redirectTo = returnPath(ctx.request.url.searchParams.get("redirectTo")) ?? PROFILE_PATH;
      const to = destinationOf(signedIn, redirectTo, (await effectiveBrand(ctx)).domain);
      return done({ to, flash: { kind: "success", ...IDENTITY_CONFIRMED } });
    },
  },
});
