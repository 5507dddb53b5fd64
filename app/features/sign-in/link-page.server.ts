import { confirmEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import { ALL_SIGNED_OUT, EMAIL_CHANGED, EMAIL_UNDONE, SENTENCES } from "~/features/auth/labels";
import { linkMark, lookUpLink, moveTokenToCookie, type OpenLink } from "~/features/auth/mail-links.server";
import { endSessionsByLink } from "~/features/auth/sessions.server";
import { PASSWORD_RESET_PATH, PROFILE_PATH, STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { LinkPurpose } from "~/platform/cookies.server";
import { type FormActions, formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, done, invalid, page, rateLimited } from "~/platform/responses.server";

/** They show a button; only pressing it consumes the link. */

export const linkPurpose = (purpose: LinkPurpose) => `link:${purpose.replace("_", "-")}`;

export async function loadLinkPage(ctx: Ctx, purpose: LinkPurpose) {
  moveTokenToCookie(ctx, purpose);
  const found = await lookUpLink(ctx, purpose);
  const link = {
    isOpen: found.kind === "open",
    email: found.kind === "open" ? found.link.email : null,
    mark: found.kind === "open" ? linkMark(found.link) : null,
    token: issueFormToken(ctx, linkPurpose(purpose)),
    hasErrors: ctx.form.isRejected,
    blocked: found.kind === "blocked" ? tooManyAttempts(found.retryAt, ctx.now()) : null,
  };
  return found.kind === "blocked" ? rateLimited(found.retryAt, link) : page(link);
}

type LinkError = { error: string };

const LINK_FAILED = "We can't do this right now. Please try again.";

const linkError = (code: "link_invalid" | "link_other" | "email_taken" = "link_invalid"): ActionResult<LinkError> =>
  invalid({ error: SENTENCES[code] });

/** Handles the form of a link page. An invalid form or link changes nothing. */
const linkActions = (
  purpose: LinkPurpose,
  use: (ctx: Ctx, link: OpenLink) => Promise<ActionResult<LinkError>>,
): FormActions<null, null, LinkError> =>
  formActions<null, null, LinkError>({ intentField: null })({
    use: {
      purpose: linkPurpose(purpose),
      failed: LINK_FAILED,
      invalid: (problem) =>
        problem.code === "fields" ? invalid({ error: problem.errors.form ?? LINK_FAILED }) : linkError(),
      run: async (ctx, _actor, { fields }) => {
        const found = await lookUpLink(ctx, purpose, fields.link);
        if (found.kind === "open") return use(ctx, found.link);
        if (found.kind !== "blocked") return linkError(found.kind === "other" ? "link_other" : "link_invalid");
        return rateLimited(found.retryAt, { error: tooManyAttempts(found.retryAt, ctx.now()) });
      },
    },
  });

export const notMeActions = linkActions("not_me", async (ctx, link) => {
  if (!(await endSessionsByLink(ctx, link))) return linkError();
  return done({ to: PASSWORD_RESET_PATH, flash: { kind: "success", ...ALL_SIGNED_OUT } });
});

export const emailChangeActions = linkActions("email_change", async (ctx, link) => {
  const changed = await confirmEmailChange(ctx, link);
  if (!changed.ok) return linkError(changed.code);
  return done({
    to: changed.staysSignedIn ? PROFILE_PATH : STAFF_SIGN_IN_PATH,
    flash: { kind: "success", ...EMAIL_CHANGED },
  });
});

export const emailUndoActions = linkActions("email_undo", async (ctx, link) => {
  const undone = await undoEmailChange(ctx, link);
  if (!undone.ok) return linkError(undone.code);
  return done({ to: PASSWORD_RESET_PATH, flash: { kind: "success", ...EMAIL_UNDONE } });
});
