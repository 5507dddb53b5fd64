import { accountError, invalidAuthForm } from "~/features/auth/form-errors.server";
import { InvitedAccountForm } from "~/features/auth/forms.server";
import { requireUser } from "~/features/auth/guards.server";
import type { SignInStep } from "~/features/auth/model";
import { endSession } from "~/features/auth/sessions/end-session.server";
import { CLIENT_SIGN_IN_PATH, PORTAL_HOME_PATH, STAFF_SIGN_IN_PATH, withParams } from "~/lib/addresses";
import { type ValidationError, withoutSecrets } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import { type ActionResult, conflict, done, rateLimited } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { INVITATION_PATH } from "../model";
import { acceptInvitation, openFromDraft, openInvitedAccount } from "./accept-invitation.server";
import { ACCEPT_FAILED, CHANGED_MEANWHILE } from "./copy";
import { declineInvitation } from "./decline-invitation.server";
import { invitationMark, stepOf } from "./invite-page";
import { INVITATION_PURPOSE } from "./load-invite-page.server";
import { lookUpInvitation, type OpenedInvitation } from "./opened-invitation.server";

const PASSWORD_FIELDS = ["password", "confirm_password"];

type Answer = ActionResult<ValidationError>;

/** Answers with the page, which itself says what has become of the invitation. */
const changed = (): Answer => conflict({ title: ACCEPT_FAILED, errors: { form: CHANGED_MEANWHILE }, values: {} });

/** Answers an invitation on its page. */
export const invitationActions = formActions<null, null, ValidationError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: PASSWORD_FIELDS,
})({
  accept: {
    purpose: INVITATION_PURPOSE,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { fields }) =>
      withInvitation(ctx, { form: "accept", fields }, async (invitation) => {
        const accepted = await acceptInvitation(ctx, invitation, await requireUser(ctx));
        if (!accepted.ok || invitation.target.kind !== "membership") return changed();
        const { name } = invitation.target.organization;
        const message = accepted.wasMember ? `You already belong to ${name}.` : `You now belong to ${name}.`;
        return done({ to: PORTAL_HOME_PATH, flash: { kind: "success", title: "Success", message } });
      }),
  },
  set_up: {
    purpose: INVITATION_PURPOSE,
    form: InvitedAccountForm,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { input, fields }) =>
      withInvitation(ctx, { form: "set_up", fields }, async (invitation) => {
        const opened = await openInvitedAccount(ctx, invitation, input);
        if (opened.ok) return entered(invitation, opened.next);
        const { error } = opened;
        if (error.code === "not_open") return changed();
        const values = withoutSecrets(fields, [...PASSWORD_FIELDS, "form_token"]);
        const ids = { new_password: "password" };
        return accountError(ctx, { title: ACCEPT_FAILED, error, values, ids });
      }),
  },
  // With what was typed at a sign-up in this browser.
  set_up_typed: {
    purpose: INVITATION_PURPOSE,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { fields }) =>
      withInvitation(ctx, { form: "set_up", fields }, async (invitation) => {
        const opened = await openFromDraft(ctx, invitation);
        return opened.ok ? entered(invitation, opened.next) : changed();
      }),
  },
  decline: {
    purpose: INVITATION_PURPOSE,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { fields }) =>
      withInvitation(ctx, { form: "decline", fields }, async (invitation) =>
        (await declineInvitation(ctx, invitation))
          ? done({ to: withParams(INVITATION_PATH, { answer: "declined" }) })
          : changed(),
      ),
  },
  // The sign-out of the other pages leads elsewhere.
  sign_out: {
    purpose: INVITATION_PURPOSE,
    invalid: invalidAuthForm(),
    run: async (ctx) => {
      if (ctx.signedIn) await endSession(ctx);
      return done({ to: INVITATION_PATH, newDocument: true });
    },
  },
});

/** Leads on with the sign-in of somebody whose account is open now: to their area, or to what is required first. */
function entered({ target }: OpenedInvitation, next: SignInStep): Answer {
  const isStaff = target.kind === "account" && target.role !== "user";
  const signInPath = isStaff ? STAFF_SIGN_IN_PATH : CLIENT_SIGN_IN_PATH;
  const to = next.ok && next.value.at === "signed_in" ? next.value.destination : signInPath;
  const message =
    target.kind === "membership" ? `You now belong to ${target.organization.name}.` : "Your account is ready.";
  return done({ to, flash: { kind: "success", title: "Invitation accepted", message } });
}

type Answering = { form: "accept" | "set_up" | "decline"; fields: Record<string, string> };

/**
 * Runs a form with the invitation the person opened last, if that is the one its page showed, and asks for this form at
 * this moment.
 */
async function withInvitation(
  ctx: Ctx,
  { form, fields: { link: shownMark } }: Answering,
  run: (invitation: OpenedInvitation) => Promise<Answer>,
): Promise<Answer> {
  const found = await lookUpInvitation(ctx);
  if (found.kind === "blocked") {
    const text = tooManyAttempts(found.retryAt, ctx.now());
    return rateLimited(found.retryAt, { title: ACCEPT_FAILED, errors: { form: text }, values: {} });
  }
  if (found.kind !== "found") return changed();
  const { invitation } = found;
  if (shownMark !== undefined && shownMark !== invitationMark(invitation.target)) return changed();
  return stepOf(invitation, ctx.signedIn, form === "decline") === form ? run(invitation) : changed();
}
