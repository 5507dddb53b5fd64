import { renewSession } from "~/features/auth/confirm-identity.server";
import { accountError, IdentityForm } from "~/features/auth/forms.server";
import { IDENTITY_CONFIRMED, TITLES } from "~/features/auth/labels";
import { destinationOf, returnPath } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { PROFILE_PATH } from "~/lib/addresses";
import { done } from "~/platform/action-result";
import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "./account-form.server";

/** Handles the form of the step-up page. */
export const confirmActions = accountActions({ intentField: null })({
  confirm: {
    purpose: ACCOUNT_PURPOSE,
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
