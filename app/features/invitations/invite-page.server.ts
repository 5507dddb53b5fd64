import { accountError, InvitedAccountForm, invalidAuthForm } from "~/features/auth/forms.server";
import { requireUser } from "~/features/auth/guards.server";
import { moveTokenToCookie } from "~/features/auth/mail-links.server";
import type { SignInStep } from "~/features/auth/model";
import { endSession } from "~/features/auth/sessions.server";
import {
  CLIENT_SIGN_IN_PATH,
  PASSWORD_UPDATE_PATH,
  PORTAL_HOME_PATH,
  STAFF_SIGN_IN_PATH,
  withParams,
  withRedirectTo,
} from "~/lib/addresses";
import { type ValidationError, withoutSecrets } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, page, rateLimited, redirectWithin } from "~/platform/responses.server";
import {
  acceptInvitation,
  declineInvitation,
  draftFor,
  lookUpInvitation,
  type OpenedInvitation,
  openFromDraft,
  openInvitedAccount,
} from "./answering.server";
import { type InviteStep, invitationMark, STEP_STATUS, stepOf } from "./invite-page";
import { ACCEPT_FAILED, INVITATION_CHANGED } from "./labels";
import { INVITATION_PATH, ORGANIZATION_ROLE_LABELS, PLATFORM_ROLE_LABELS } from "./model";

const INVITATION_PURPOSE = "invitation";

export type ShownInvitation = ReturnType<typeof shown> & { fullName: string; hasPassword: boolean };

export type InvitePage = {
  step: InviteStep;
  invitation: ShownInvitation | null;
  reader: string | null;
  token: string;
  hasErrors: boolean;
  blocked: string | null;
};

/** Opening it changes nothing: programs open the links of mails too. */
export async function loadInvitePage(ctx: Ctx): Promise<ActionResult<InvitePage>> {
  moveTokenToCookie(ctx, "invitation");
  const { signedIn, request } = ctx;
  if (signedIn?.mustChangePassword) throw redirectWithin(withRedirectTo(PASSWORD_UPDATE_PATH, INVITATION_PATH));
  const answer = request.url.searchParams.get("answer");
  const found = await lookUpInvitation(ctx);
  const common = {
    reader: signedIn?.email ?? null,
    token: issueFormToken(ctx, INVITATION_PURPOSE),
    hasErrors: ctx.form.isRejected,
    blocked: null,
  };
  if (found.kind === "blocked") {
    const blocked = tooManyAttempts(found.retryAt, ctx.now());
    return rateLimited(found.retryAt, { ...common, step: "unknown", invitation: null, blocked });
  }
  if (found.kind !== "found") {
    const missing = found.kind === "none" ? "no_link" : "unknown";
    const step = answer === "declined" && found.kind === "none" ? "declined" : missing;
    return withStatus({ ...common, step, invitation: null });
  }
  const { invitation } = found;
  const step = stepOf(invitation, signedIn, answer === "no");
  const draft = step === "set_up" ? await draftFor(ctx, invitation) : null;
  const typed = {
    fullName: draft?.fullName ?? (invitation.target.kind === "account" ? invitation.target.fullName : ""),
    hasPassword: draft !== null && request.url.searchParams.get("password") !== "new",
  };
  return withStatus({ ...common, step, invitation: { ...shown(invitation), ...typed } });
}

function withStatus(body: InvitePage): ActionResult<InvitePage> {
  const status = STEP_STATUS[body.step];
  return status === 409 ? conflict(body) : page(body, status);
}

const shown = ({ target, inviter, expiresAt }: OpenedInvitation) => ({
  mark: invitationMark(target),
  email: target.email,
  inviter,
  organization: target.kind === "membership" ? target.organization.name : null,
  role: target.kind === "membership" ? ORGANIZATION_ROLE_LABELS[target.role] : PLATFORM_ROLE_LABELS[target.role],
  expiresAt,
});

const PASSWORD_FIELDS = ["password", "confirm_password"];

type Answer = ActionResult<ValidationError>;

const changed = (): Answer => conflict({ title: ACCEPT_FAILED, errors: { form: INVITATION_CHANGED }, values: {} });

export const invitePageActions = formActions<null, null, ValidationError>({
  failed: "Failed to answer the invitation",
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

function entered({ target }: OpenedInvitation, next: SignInStep): Answer {
  const isStaff = target.kind === "account" && target.role !== "user";
  const signInPath = isStaff ? STAFF_SIGN_IN_PATH : CLIENT_SIGN_IN_PATH;
  const to = next.ok && next.value.at === "signed_in" ? next.value.destination : signInPath;
  const message =
    target.kind === "membership" ? `You now belong to ${target.organization.name}.` : "Your account is ready.";
  return done({ to, flash: { kind: "success", title: "Invitation accepted", message } });
}

/** Only with the invitation that the page of the form showed, and if it asks for this form now. */
async function withInvitation(
  ctx: Ctx,
  { form, fields: { link: shownMark } }: { form: "accept" | "set_up" | "decline"; fields: Record<string, string> },
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
