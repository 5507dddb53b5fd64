import { json } from "@remix-run/cloudflare";
import { findLink, moveTokenToCookie, type OpenLink } from "~/features/auth/mail-links.server";
import type { Ctx } from "~/platform/context.server";
import type { LinkPurpose } from "~/platform/cookies.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";

/*
 * Pages that links of mails lead to. They show a button; pressing it is what uses the link up.
 */

const formPurpose = (purpose: LinkPurpose) => `link:${purpose.replace("_", "-")}`;

/** What such a page shows: whether its link still opens something, and the form's token. */
export async function loadLinkPage(ctx: Ctx, purpose: LinkPurpose) {
  moveTokenToCookie(ctx, purpose);
  const link = await findLink(ctx, purpose);
  return json({
    isOpen: link !== null,
    token: issueFormToken(ctx, formPurpose(purpose)),
    refused: ctx.request.method === "POST",
  });
}

/** The link behind a posted form, or null when the form or the link is not good any more. */
export async function pressedLink(ctx: Ctx, request: Request, purpose: LinkPurpose): Promise<OpenLink | null> {
  const { fields } = await readForm(request);
  const token = checkFormToken(ctx, formPurpose(purpose), fields.form_token);
  return token.ok ? findLink(ctx, purpose) : null;
}
