import type { StaffActor } from "~/features/auth/guards.server";
import { type InvitationTarget, type Inviter, ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { safePath } from "~/lib/safe-path";
import { hours } from "~/lib/time";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { RowForm } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import { type FormProblem, formActions, reasonOf, type Submitted } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, invalid, notFound, rateLimited } from "~/platform/responses.server";
import { staffPathOf } from "~/platform/subjects.server";
import {
  MembershipForm,
  type MembershipResult,
  RoleChoice,
  removeMember,
  StatusChoice,
  setMemberRole,
  setMemberStatus,
} from "./commands.server";
import { MEMBERS_PATH, type MemberFilter, memberList, removalPath } from "./definition";
import { countMemberships, type MemberCounts, memberRows } from "./definition.server";
import {
  invitationSent,
  MEMBER_STATUS_LABELS,
  MEMBERSHIP_NOT_REMOVED,
  MEMBERSHIP_NOT_UPDATED,
  MEMBERSHIP_REMOVED,
  MEMBERSHIP_UPDATED,
  membershipFailure,
  membershipInvitationRevoked,
  TOO_MANY_INVITATIONS,
  unchanged,
} from "./labels";
import type { ListedMember } from "./model";

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

export type LinkedMember = ListedMember & { personPath: string | null; organizationPath: string | null };

export type MembersRead = ListRead<LinkedMember> & { counts: MemberCounts };

export async function readMembers(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<MemberFilter>,
): Promise<MembersRead> {
  const [counts, read] = await Promise.all([countMemberships(db), memberRows.read(db, request)]);
  const rows = read.page.rows.map((row) => ({
    ...row,
    personPath: row.userId && staffPathOf(subjects, request.viewer.actor, { type: "user", id: row.userId }),
    organizationPath: staffPathOf(subjects, request.viewer.actor, { type: "organization", id: row.organizationId }),
  }));
  return { ...read, page: { ...read.page, rows }, counts };
}

export const REMOVAL_PURPOSE = "member-removal";

type Removal = { membershipId: string; back: string; path: string };

export function removalAt({ searchParams }: URL, membershipId: string): Removal {
  const filter = memberList.readFilter(searchParams);
  return { membershipId, back: memberList.pathTo(filter), path: removalPath(membershipId, memberList.query(filter)) };
}

const backWithError = ({ back }: Removal, message: string): ActionResult<null> =>
  done({ to: back, flash: { kind: "error", title: "Error", message } });

/** Removes a member from their organization once staff have confirmed it, and returns to the list. */
export const removalActions = formActions<StaffActor, Removal, null>({ intentField: null })({
  remove: {
    ability: "member.change",
    purpose: REMOVAL_PURPOSE,
    failed: MEMBERSHIP_NOT_REMOVED,
    invalid: (problem, { params }) => backWithError(params, reasonOf(problem, MEMBERSHIP_NOT_REMOVED)),
    run: async (ctx, actor, { params }) => {
      const { membershipId, back } = params;
      const removed = await removeMember(ctx, actor, { membershipId, organizationId: null });
      if (!removed.ok) return backWithError(params, membershipFailure(removed.code, MEMBERSHIP_NOT_REMOVED));
      return done({ to: back, flash: { kind: "success", ...MEMBERSHIP_REMOVED } });
    },
  },
});

export const MEMBERS_PURPOSE = "members";

type Rejection = { rejection: string };

const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], MEMBERS_PATH);

const reject = (rejection: string): ActionResult<Rejection> => invalid({ rejection });

export const memberActions = formActions<StaffActor, null, Rejection>({ reading: { lists: ["role", "status"] } })({
  role: {
    ability: "member.change",
    purpose: MEMBERS_PURPOSE,
    form: RowForm,
    failed: MEMBERSHIP_NOT_UPDATED,
    invalid: (problem) => reject(reasonOf(problem, MEMBERSHIP_NOT_UPDATED)),
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: role } = RoleChoice.safeParse(posted.lists.role?.[position]);
      if (!role) return reject(MEMBERSHIP_NOT_UPDATED);
      const changed = await setMemberRole(ctx, actor, { membershipId: id, organizationId: null, role });
      return answer(changed, { posted, id, label: ORGANIZATION_ROLE_LABELS[role] });
    },
  },
  status: {
    ability: "member.change",
    purpose: MEMBERS_PURPOSE,
    form: RowForm,
    failed: MEMBERSHIP_NOT_UPDATED,
    invalid: (problem) => reject(reasonOf(problem, MEMBERSHIP_NOT_UPDATED)),
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: status } = StatusChoice.safeParse(posted.lists.status?.[position]);
      if (!status) return reject(MEMBERSHIP_NOT_UPDATED);
      const changed = await setMemberStatus(ctx, actor, { membershipId: id, organizationId: null, status });
      return answer(changed, { posted, id, label: MEMBER_STATUS_LABELS[status] });
    },
  },
  ...memberInvitationActions<StaffActor>({
    purpose: MEMBERS_PURPOSE,
    targetOf: (_actor, membershipId) => ({ membershipId }),
    back: listOf,
  }),
});

function answer(
  changed: MembershipResult,
  { posted, id, label }: { posted: PostedForm; id: string; label: string },
): ActionResult<Rejection> {
  if (!changed.ok) return reject(membershipFailure(changed.code, MEMBERSHIP_NOT_UPDATED));
  const to = `${listOf(posted)}#${id}`;
  if (!changed.value.changed) return done({ to, flash: { kind: "info", ...unchanged(label) }, unchanged: true });
  return done({ to, flash: { kind: "success", ...MEMBERSHIP_UPDATED } });
}
