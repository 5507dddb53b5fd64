import { getSettings } from "~/features/settings/queries.server";
import { loadLinkPage } from "~/features/sign-in/link-page.server";
import { findDraft } from "~/features/sign-in/sign-up-draft.server";
import { mapBody } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";

/** Loads the page of a confirmation link, with what was typed at the sign-up if it was typed in this browser. */
export async function loadConfirmSignUpPage(ctx: Ctx) {
  const [page, { signUpPolicy }] = await Promise.all([loadLinkPage(ctx, "verify_email"), getSettings(ctx.db)]);
  return mapBody(page, ({ email, ...link }) => {
    const draft = email ? findDraft(ctx, email) : null;
    const values = { full_name: draft?.fullName, organization_name: draft?.organizationName };
    return { ...link, email: email ?? "", values, policy: signUpPolicy };
  });
}
