import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Db } from "~/db/client.server";
import type { MemberActor } from "~/features/auth/guards.server";
import type { InviteOutcome } from "~/features/invitations/model";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { copyInvitationLink, inviteMembers } from "~/features/invitations/sending.server";
import { otherOrganization } from "~/features/organizations/model";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { hours } from "~/lib/time";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { RowForm } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, reasonOf } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, invalid, notFound, page, rateLimited } from "~/platform/responses.server";
import {
  MembershipForm,
  type MembershipResult,
  RoleChoice,
  reactivateMember,
  removeMember,
  setMemberRole,
  suspendMember,
} from "./commands.server";
import { TEAM_PATH, type TeamFilter } from "./definition";
import { countTeam, type TeamCounts, teamRows } from "./definition.server";
import {
  EMAIL_REQUIRED,
  INVITE_ERRORS,
  invited,
  LINK_NOT_NEEDED,
  MEMBER_NOT_INVITED,
  MEMBER_NOT_REMOVED,
  MEMBER_REACTIVATED,
  MEMBER_REMOVED,
  MEMBER_ROLE_NOT_UPDATED,
  MEMBER_ROLE_UPDATED,
  MEMBER_STATUS_LABELS,
  MEMBER_SUSPENDED,
  MEMBERSHIP_NOT_UPDATED,
  membershipFailure,
  TOO_MANY_ADDRESSES,
  unchanged,
} from "./labels";
import { memberInvitationActions } from "./list-page.server";
import type { ListedMember, MembershipTarget, SettableRole } from "./model";

export type TeamRead = ListRead<ListedMember> & { counts: TeamCounts };

export async function readTeam(
  { db }: Pick<Ctx, "db">,
  organizationId: string,
  request: ListRequest<TeamFilter>,
): Promise<TeamRead> {
  const [counts, read] = await Promise.all([countTeam(db, organizationId), teamRows.read(db, request)]);
  return { ...read, counts };
}

export const INVITE_PURPOSE = "team-invite";

/** Limits how many addresses are taken at a time. Each is a batch of its own. */
const MAX_ADDRESSES = 100;

export type InviteResult = {
  error: ValidationError;
  invitedCount: number;
  rejected: readonly { email: string; reason: string }[];
};

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const InviteForm = absentAsEmpty(
  ["emails", "role"],
  z.object({
    emails: z
      .string()
      .transform(addressesIn)
      .refine((emails) => emails.length > 0, EMAIL_REQUIRED)
      .refine((emails) => emails.length <= MAX_ADDRESSES, TOO_MANY_ADDRESSES),
    role: RoleChoice,
  }),
);

export async function findDefaultRole(db: Db, organizationId: string): Promise<SettableRole> {
  const row = await db.get<{ role: SettableRole } | undefined>(
    sql`SELECT default_role AS role FROM organizations WHERE id = ${organizationId}`,
  );
  return row?.role ?? "member";
}

const rejected = (errors: Record<string, string>, values: FormValues): InviteResult => ({
  error: { title: MEMBER_NOT_INVITED, errors, values },
  invitedCount: 0,
  rejected: [],
});

/**
 * Invites people to the organization by their addresses. Each stands for itself: those that are rejected are shown
 * again in the form, with the reason, while the others are invited.
 */
export const inviteActions = formActions<MemberActor, null, InviteResult>({
  intentField: null,
  conflict: otherOrganization,
})({
  invite: {
    ability: "member.invite",
    purpose: INVITE_PURPOSE,
    form: InviteForm,
    failed: MEMBER_NOT_INVITED,
    invalid: (problem) =>
      invalid(rejected(problem.code === "token" ? { form: MEMBER_NOT_INVITED } : problem.errors, problem.values)),
    run: async (ctx, actor, { input: { emails, role } }) => {
      const { organizationId, organizationName } = actor.membership;
      const organization = { id: organizationId, name: organizationName };
      const outcomes = await inviteMembers(ctx, { inviter: actor, organization, emails, role });
      const rejected = outcomes.flatMap(({ email, outcome }) => (outcome === "invited" ? [] : { email, outcome }));
      const count = outcomes.length - rejected.length;
      if (rejected.length === 0) return done({ to: TEAM_PATH, flash: { kind: "success", ...invited(count) } });
      return showAgain(ctx.now() + hours(1), { rejected, count, role });
    },
  },
});

type Rejected = { email: string; outcome: Exclude<InviteOutcome, "invited"> };

function showAgain(
  retryAt: number,
  { rejected, count, role }: { rejected: Rejected[]; count: number; role: SettableRole },
): ActionResult<InviteResult> {
  const [first] = rejected;
  const reasons = rejected.map(({ email, outcome }) => ({ email, reason: INVITE_ERRORS[outcome] }));
  const result: InviteResult = {
    error: {
      title: MEMBER_NOT_INVITED,
      errors: { emails: first ? INVITE_ERRORS[first.outcome] : MEMBER_NOT_INVITED },
      values: { emails: rejected.map(({ email }) => email).join("\n"), role },
    },
    invitedCount: count,
    // One address is said by the error of the field.
    rejected: rejected.length === 1 && count === 0 ? [] : reasons,
  };
  const isLimited = rejected.some(({ outcome }) => outcome === "limited");
  return isLimited && count === 0 ? rateLimited(retryAt, result) : invalid(result);
}

export const TEAM_REMOVAL_PURPOSE = "team-removal";

const backWithError = (message: string): ActionResult<null> =>
  done({ to: TEAM_PATH, flash: { kind: "error", title: "Error", message } });

export const teamRemovalActions = formActions<MemberActor, { membershipId: string }, null>({
  intentField: null,
  conflict: otherOrganization,
})({
  remove: {
    ability: "member.change",
    purpose: TEAM_REMOVAL_PURPOSE,
    failed: MEMBER_NOT_REMOVED,
    invalid: (problem) => backWithError(reasonOf(problem, MEMBER_NOT_REMOVED)),
    run: async (ctx, actor, { params: { membershipId } }) => {
      const { organizationId } = actor.membership;
      const removed = await removeMember(ctx, actor, { membershipId, organizationId });
      if (removed.ok) return done({ to: TEAM_PATH, flash: { kind: "success", ...MEMBER_REMOVED } });
      if (removed.code === "not_found") return notFound();
      return backWithError(membershipFailure(removed.code, MEMBER_NOT_REMOVED));
    },
  },
});

export const TEAM_PURPOSE = "team";

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
  invalid: (problem) => reject(reasonOf(problem, MEMBERSHIP_NOT_UPDATED)),
  run: async (ctx, actor, { input, ...posted }) =>
    answer(await change(ctx, actor, targetOf(actor, input.id)), {
      to: `${back(posted)}#${input.id}`,
      failure: MEMBERSHIP_NOT_UPDATED,
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

export const teamActions = formActions<MemberActor, null, TeamResult>({
  reading: { lists: ["role"] },
  conflict: otherOrganization,
})({
  role: {
    ability: "member.change",
    purpose: TEAM_PURPOSE,
    form: RowForm,
    failed: MEMBER_ROLE_NOT_UPDATED,
    invalid: (problem) => reject(reasonOf(problem, MEMBER_ROLE_NOT_UPDATED)),
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: role } = RoleChoice.safeParse(posted.lists.role?.[position]);
      if (!role) return reject(MEMBER_ROLE_NOT_UPDATED);
      const changed = await setMemberRole(ctx, actor, { ...targetOf(actor, id), role });
      const words = {
        failure: MEMBER_ROLE_NOT_UPDATED,
        message: MEMBER_ROLE_UPDATED,
        label: ORGANIZATION_ROLE_LABELS[role],
      };
      return answer(changed, { to: `${back(posted)}#${id}`, ...words });
    },
  },
  suspend: changes(suspendMember, { message: MEMBER_SUSPENDED, label: MEMBER_STATUS_LABELS.suspended }),
  reactivate: changes(reactivateMember, { message: MEMBER_REACTIVATED, label: MEMBER_STATUS_LABELS.active }),
  ...memberInvitationActions<MemberActor>({ purpose: TEAM_PURPOSE, targetOf, back }),
  "copy-link": {
    ability: "member.invite",
    purpose: TEAM_PURPOSE,
    form: MembershipForm,
    invalid: (problem) => reject(reasonOf(problem, MEMBERSHIP_NOT_UPDATED)),
    run: async (ctx, actor, { input }) => {
      const copied = await copyInvitationLink(ctx, actor, targetOf(actor, input.id));
      if (copied.ok) return page<TeamResult>({ link: copied.value.url });
      return copied.code === "not_found" ? notFound() : reject(LINK_NOT_NEEDED);
    },
  } satisfies RowButton,
});
