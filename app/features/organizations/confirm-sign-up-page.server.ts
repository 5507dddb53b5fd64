import { loadLinkPage } from "~/features/sign-in/link-page.server";
import { findDraft } from "~/features/sign-in/sign-up-draft.server";
import type { Ctx } from "~/platform/context.server";

/** Loads the page of a confirmation link, with what was typed at the sign-up if it was typed in this browser. */
export async function loadConfirmSignUpPage(ctx: Ctx) {
  const { email, ...page } = await loadLinkPage(ctx, "verify_email");
  const draft = email ? findDraft(ctx, email) : null;
  return {
    ...page,
    email: email ?? "",
    values: { full_name: draft?.fullName, organization_name: draft?.organizationName },
  };
}
