import { getSettings } from "~/features/settings/queries.server";
import { loadLinkPage } from "~/features/sign-in/link-page.server";
import { findDraft } from "~/features/sign-in/sign-up-draft.server";
import { mapBody } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";

/**
 * Loads the page of a confirmation link. In the browser that signed up one press is enough, unless its owner wants
 * another password; every other browser is asked for everything, and told nothing of the sign-up.
 */
export async function loadConfirmSignUpPage(ctx: Ctx) {
  const [page, { signUpPolicy }] = await Promise.all([loadLinkPage(ctx, "verify_email"), getSettings(ctx.db)]);
  const asksForPassword = ctx.request.url.searchParams.get("password") === "new";
  return mapBody(page, ({ email, ...link }) => {
    const draft = email ? findDraft(ctx, email) : null;
    return {
      ...link,
      email: email ?? "",
      typed: draft && { fullName: draft.fullName, organizationName: draft.organizationName },
      needsPassword: draft === null || asksForPassword,
      policy: signUpPolicy,
      reader: ctx.signedIn?.email ?? null,
    };
  });
}
