import type { InvitationTarget, Inviter } from "~/features/invitations/model";
import { resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type FormProblem, reasonOf, type Submitted } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, invalid, notFound, rateLimited } from "~/platform/responses.server";
import { MembershipForm } from "./commands.server";
import { invitationSent, MEMBERSHIP_NOT_UPDATED, membershipInvitationRevoked, TOO_MANY_INVITATIONS } from "./labels";

type Pressed = Submitted<null> & { input: { id: string } };
type Pressing = Promise<ActionResult<{ rejection: string }>>;

type Frame<Person> = {
  purpose: string;
  targetOf: (actor: Person, membershipId: string) => InvitationTarget;
  back: (posted: PostedForm) => string;
};

/** Builds the actions of the buttons on an invitation that is not accepted yet: a new mail, or none at all. */
export function memberInvitationActions<Person extends Inviter>({ purpose, targetOf, back }: Frame<Person>) {
  const common = {
    ability: "member.invite",
    purpose,
    form: MembershipForm,
    invalid: (problem: FormProblem) => invalid({ rejection: reasonOf(problem, MEMBERSHIP_NOT_UPDATED) }),
  } as const;
  const resend = {
    ...common,
    run: async (ctx: Ctx, actor: Person, { input, ...posted }: Pressed): Pressing => {
      const resent = await resendInvitation(ctx, actor, targetOf(actor, input.id));
      if (resent.ok)
        return done({ to: back(posted), flash: { kind: "success", ...invitationSent(resent.value.email) } });
      if (resent.code === "not_found") return notFound();
      return rateLimited(ctx.now() + hours(1), { rejection: TOO_MANY_INVITATIONS });
    },
  };
  const revoke = {
    ...common,
    run: async (ctx: Ctx, actor: Person, { input, ...posted }: Pressed): Pressing => {
      const revoked = await revokeInvitation(ctx, actor, targetOf(actor, input.id));
      if (!revoked.ok) return notFound();
      return done({
        to: back(posted),
        flash: { kind: "success", ...membershipInvitationRevoked(revoked.value.email) },
      });
    },
  };
  return { resend, revoke };
}
