import { moveTokenToCookie } from "~/features/auth/mail-links.server";
import { PASSWORD_UPDATE_PATH, withRedirectTo } from "~/lib/addresses";
import { tooManyAttempts } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { type ActionResult, conflict, page, rateLimited } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { redirectWithin } from "~/platform/route-responses.server";
import { INVITATION_PATH, ORGANIZATION_ROLE_LABELS, PLATFORM_ROLE_LABELS } from "../model";
import { draftFor } from "./accept-invitation.server";
import { type InviteStep, invitationMark, STEP_STATUS, stepOf } from "./invite-page";
import { lookUpInvitation, type OpenedInvitation } from "./opened-invitation.server";

export const INVITATION_PURPOSE = "invitation";

/** Holds what the page says of an invitation to whoever has its link. */
export type ShownInvitation = {
  /** Tells invitations apart, in the forms of the page. */
  mark: string;
  email: string;
  inviter: string;
  /** Names the organization; null: the invitation is to an account at the provider's. */
  organization: string | null;
  role: string;
  expiresAt: Instant;
  /** Holds the name that staff have given the account, or that was typed at a sign-up in this browser. */
  fullName: string;
  /** Tells whether a password was typed at that sign-up, and no other is wanted. */
  hasPassword: boolean;
};

export type InvitePage = {
  step: InviteStep;
  invitation: ShownInvitation | null;
  /** Holds the address of the person who is signed in. */
  reader: string | null;
  token: string;
  hasErrors: boolean;
  /** Says that too many links were tried, and until when; null: they were not. */
  blocked: string | null;
};

/** Loads the page of an invitation. Opening it changes nothing: programs open the links of mails too. */
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
  const draft = step === "set_up" ? draftFor(ctx, invitation) : null;
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
