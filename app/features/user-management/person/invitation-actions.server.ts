import type { StaffActor } from "~/features/auth/guards.server";
import { revokeInvitation } from "~/features/invitations/revoke-invitation.server";
import { copyInvitationLink } from "~/features/invitations/sending/copy-invitation-link.server";
import { resendInvitation } from "~/features/invitations/sending/resend-invitation.server";
import { USERS_PATH, userPath } from "~/features/users/subject";
import { type ActionResult, done, invalid, page } from "~/platform/action-result";
import type { FormAction } from "~/platform/form-actions.server";
import { INVITATION_GONE, invitationError, invitationResent, invitationRevoked } from "../invitation-words";
import type { PersonAnswer } from "./model";

type Params = { userId: string };
type InvitationAction = FormAction<StaffActor, Params, PersonAnswer, unknown>;

const failed = (sentence: string): ActionResult<PersonAnswer> =>
  invalid({ title: "Error", errors: { form: sentence }, values: {} });

const common = (purpose: string): Pick<InvitationAction, "ability" | "purpose" | "invalid"> => ({
  ability: "user.invite",
  purpose,
  invalid: () => failed(INVITATION_GONE),
});

/** Builds the actions on the invitation of an account: a new mail, none at all, or the link itself, shown once. */
export const invitationActions = (purpose: string) => ({
  resend: {
    ...common(purpose),
    run: async (ctx, actor, { params: { userId } }) => {
      const sent = await resendInvitation(ctx, actor, { userId });
      if (!sent.ok) return failed(invitationError(sent.code));
      return done({ to: userPath(userId), flash: { kind: "success", ...invitationResent(sent.value.email) } });
    },
  } satisfies InvitationAction,
  revoke: {
    ...common(purpose),
    run: async (ctx, actor, { params: { userId } }) => {
      const revoked = await revokeInvitation(ctx, actor, { userId });
      if (!revoked.ok) return failed(invitationError(revoked.code));
      // The account is gone with its invitation.
      return done({ to: USERS_PATH, flash: { kind: "success", ...invitationRevoked(revoked.value.email) } });
    },
  } satisfies InvitationAction,
  copy_link: {
    ...common(purpose),
    run: async (ctx, actor, { params: { userId } }) => {
      const copied = await copyInvitationLink(ctx, actor, { userId });
      if (!copied.ok) return failed(invitationError(copied.code));
      return page({ title: "", errors: {}, values: {}, link: copied.value.url });
    },
  } satisfies InvitationAction,
});
