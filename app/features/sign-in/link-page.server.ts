import { SENTENCES } from "~/features/auth/copy";
import { findLink, moveTokenToCookie, type OpenLink } from "~/features/auth/mail-links.server";
import { type ActionResult, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { LinkPurpose } from "~/platform/cookies.server";
import { type FormActions, formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

/*
 * The pages that mail links lead to. They show a button; only pressing it consumes the link.
 */

/** Names the purpose of the form token on the page of a link. */
export const linkPurpose = (purpose: LinkPurpose) => `link:${purpose.replace("_", "-")}`;

/** Loads the data of a link page: whether its link is still valid, and the form token. */
export async function loadLinkPage(ctx: Ctx, purpose: LinkPurpose) {
  moveTokenToCookie(ctx, purpose);
  const link = await findLink(ctx, purpose);
  return {
    isOpen: link !== null,
    /** The address the link was sent to; null: the link is not valid. */
    email: link?.email ?? null,
    token: issueFormToken(ctx, linkPurpose(purpose)),
    hasErrors: ctx.request.method === "POST",
  };
}

/** Holds the reason why a link was rejected. */
type LinkError = { error: string };

export const linkError = (code: "link_invalid" | "email_taken" = "link_invalid"): ActionResult<LinkError> =>
  invalid({ error: SENTENCES[code] });

/** Handles the form of a link page. An invalid form or link changes nothing. */
export const linkActions = (
  purpose: LinkPurpose,
  use: (ctx: Ctx, link: OpenLink) => Promise<ActionResult<LinkError>>,
): FormActions<null, null, LinkError> =>
  formActions<null, null, LinkError>({ intentField: null })({
    use: {
      purpose: linkPurpose(purpose),
      invalid: () => linkError(),
      run: async (ctx) => {
        const link = await findLink(ctx, purpose);
        return link ? use(ctx, link) : linkError();
      },
    },
  });
