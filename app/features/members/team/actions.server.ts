import type { MemberActor } from "~/features/auth/guards.server";
import { copyInvitationLink } from "~/features/invitations/sending/copy-invitation-link.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import { safePath } from "~/lib/safe-path";
import { RowForm } from "~/lists/row-form.server";
import { type ActionResult, done, invalid, notFound, page } from "~/platform/action-result";
import { type FormAction, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { changeMemberRole } from "../change-member-role.server";
import type { MembershipResult } from "../change-membership.server";
import { membershipFailure, ROLE_LABELS, STATUS_LABELS, unchanged } from "../copy";
import { MembershipForm, RoleChoice } from "../forms.server";
import { invitationActions } from "../invitation-actions.server";
import type { MembershipTarget } from "../model";
import { reactivateMember } from "../reactivate-member.server";
import { suspendMember } from "../suspend-member.server";
import {
  LINK_NOT_NEEDED,
  MEMBER_REACTIVATED,
  MEMBER_SUSPENDED,
  NOT_CHANGED,
  ROLE_NOT_UPDATED,
  ROLE_UPDATED,
} from "./copy";
import { TEAM_PATH } from "./definition";

/** Names the purpose of the form token that the rows share. */
export const TEAM_PURPOSE = "team";

/** Holds what the team page shows besides its rows: why nothing was done, or a link that is shown once. */
export type TeamResult = { rejection: string } | { link: string };

type TeamAction<Input> = FormAction<MemberActor, null, TeamResult, Input>;
type RowButton = TeamAction<{ id: string }>;

const reject = (rejection: string): ActionResult<TeamResult> => invalid({ rejection });
const back = ({ fields }: PostedForm): string => safePath(fields.return_to, ["portal"], TEAM_PATH);

/** Names a membership of the organization that the actor works in: every other one does not exist for them. */
const targetOf = ({ membership }: MemberActor, membershipId: string) => ({
  membershipId,
  organizationId: membership.organizationId,
});

/** Makes the action of a button that changes a member. */
const changes = (
  change: (
    ctx: Parameters<typeof suspendMember>[0],
    actor: MemberActor,
    target: MembershipTarget,
  ) => Promise<MembershipResult>,
  { message, label }: { message: { title: string; message: string }; label: string },
): RowButton => ({
  ability: "member.change",
  purpose: TEAM_PURPOSE,
  form: MembershipForm,
  invalid: () => reject(NOT_CHANGED),
  run: async (ctx, actor, { input, ...posted }) =>
    answer(await change(ctx, actor, targetOf(actor, input.id)), {
      to: `${back(posted)}#${input.id}`,
      failure: NOT_CHANGED,
      message,
      label,
    }),
});

type Words = { to: string; failure: string; message: { title: string; message: string }; label: string };

function answer(changed: MembershipResult, { to, failure, message, label }: Words): ActionResult<TeamResult> {
  if (!changed.ok) return changed.code === "not_found" ? notFound() : reject(membershipFailure(changed.code, failure));
  if (changed.value.changed) return done({ to, flash: { kind: "success", ...message } });
  return done({ to, flash: { kind: "info", ...unchanged(label) }, unchanged: true });
}

/** Handles the forms of the rows of the team. */
export const teamActions = formActions<MemberActor, null, TeamResult>({
  reading: { lists: ["role"] },
  conflict: otherOrganization,
})({
  role: {
    ability: "member.change",
    purpose: TEAM_PURPOSE,
    form: RowForm,
    invalid: () => reject(ROLE_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: role } = RoleChoice.safeParse(posted.lists.role?.[position]);
      if (!role) return reject(ROLE_NOT_UPDATED);
      const changed = await changeMemberRole(ctx, actor, { ...targetOf(actor, id), role });
      const words = { failure: ROLE_NOT_UPDATED, message: ROLE_UPDATED, label: ROLE_LABELS[role] };
      return answer(changed, { to: `${back(posted)}#${id}`, ...words });
    },
  },
  suspend: changes(suspendMember, { message: MEMBER_SUSPENDED, label: STATUS_LABELS.suspended }),
  reactivate: changes(reactivateMember, { message: MEMBER_REACTIVATED, label: STATUS_LABELS.active }),
  ...invitationActions<MemberActor>({ purpose: TEAM_PURPOSE, targetOf, back }),
  "copy-link": {
    ability: "member.invite",
    purpose: TEAM_PURPOSE,
    form: MembershipForm,
    invalid: () => reject(NOT_CHANGED),
    run: async (ctx, actor, { input }) => {
      const copied = await copyInvitationLink(ctx, actor, targetOf(actor, input.id));
      if (copied.ok) return page<TeamResult>({ link: copied.value.url });
      return copied.code === "not_found" ? notFound() : reject(LINK_NOT_NEEDED);
    },
  } satisfies RowButton,
});
