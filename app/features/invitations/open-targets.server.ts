import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole, PlatformRole } from "~/access/model";
import { platformRole } from "~/access/model";
import { can } from "~/access/policy";
import type { Statement } from "~/db/client.server";
import { expectThat } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { organizationSubject } from "~/features/organizations/subject";
import { userSubject } from "~/features/users/subject";
import type { Ctx } from "~/platform/context.server";
import { isAdmin, mayInviteMembers } from "./inviter-rights.server";
import { type InvitationTarget, type Inviter, ORGANIZATION_ROLE_LABELS, PLATFORM_ROLE_LABELS } from "./model";

/** Selects whether the organization `o` is new: staff have not reviewed it yet. */
export const IS_NEW: SQL = sql`o.needs_review_at IS NOT NULL AS isNew`;

/** Describes a membership or an account that waits for its person. */
export type OpenTarget =
  | {
      kind: "membership";
      membershipId: string;
      /** Holds the organization; it is new until staff have reviewed it. */
      organization: { id: string; name: string; isNew: boolean };
      email: string;
      role: OrganizationRole;
    }
  | { kind: "account"; userId: string; fullName: string; email: string; role: PlatformRole };

/**
 * Returns what an invitation is for if it waits for its person and the actor may invite to it, else null. Owners are
 * invited by administrators of the platform alone.
 */
export async function findOpenTarget(
  ctx: Pick<Ctx, "db">,
  actor: Inviter,
  target: InvitationTarget,
): Promise<OpenTarget | null> {
  const found = await findTarget(ctx, target);
  if (found?.kind !== "membership") return can(actor, "user.invite") ? found : null;
  if (found.role === "owner" && !can(actor, "organization.manage")) return null;
  return can(actor, "member.invite", { organizationId: found.organization.id }) ? found : null;
}

/** Returns what an invitation is for if it waits for its person, whoever asks. */
export async function findTarget(ctx: Pick<Ctx, "db">, target: InvitationTarget): Promise<OpenTarget | null> {
  if ("userId" in target) return findOpenAccount(ctx, target.userId);
  const found = await findOpenMembership(ctx, target.membershipId);
  const { organizationId = found?.organization.id } = target;
  return found?.organization.id === organizationId ? found : null;
}

async function findOpenMembership({ db }: Pick<Ctx, "db">, membershipId: string): Promise<MembershipTarget | null> {
  const row = await db.get<
    { email: string; role: OrganizationRole; id: string; name: string; isNew: number } | undefined
  >(sql`
    SELECT m.invited_email AS email, m.role, o.id, o.name, ${IS_NEW} FROM organization_memberships m
    JOIN organizations o ON o.id = m.organization_id WHERE m.id = ${membershipId} AND m.status = 'pending' AND m.user_id IS NULL`);
  if (!row) return null;
  const { email, role, id, name } = row;
  return { kind: "membership", membershipId, organization: { id, name, isNew: row.isNew === 1 }, email, role };
}

type MembershipTarget = Extract<OpenTarget, { kind: "membership" }>;

async function findOpenAccount({ db }: Pick<Ctx, "db">, userId: string): Promise<OpenTarget | null> {
  const row = await db.get<{ email: string; fullName: string; role: string | null } | undefined>(sql`
    SELECT u.email, u.full_name AS fullName, r.role FROM users u LEFT JOIN user_roles r ON r.user_id = u.id
    WHERE u.id = ${userId} AND u.status = 'pending'`);
  return row ? { kind: "account", userId, ...row, role: platformRole(row.role) } : null;
}

/** Returns the invitation of a target, for a new link. */
export const invitationOf = (target: OpenTarget, inviter: Pick<Inviter, "userId" | "fullName">) =>
  target.kind === "account"
    ? { userId: target.userId, email: target.email, inviter, role: PLATFORM_ROLE_LABELS[target.role] }
    : {
        membershipId: target.membershipId,
        organization: target.organization,
        email: target.email,
        inviter,
        role: ORGANIZATION_ROLE_LABELS[target.role],
      };

/** Returns the condition that the target still waits for its person. */
const isOpen = (target: OpenTarget): SQL =>
  target.kind === "account"
    ? sql`exists (select 1 from users where id = ${target.userId} and status = 'pending')`
    : sql`exists (select 1 from organization_memberships where id = ${target.membershipId}
        and status = 'pending' and user_id is null)`;

/** Returns the statement that fails the batch unless the target still waits for its person. */
export const expectWaiting = ({ db }: Pick<Ctx, "db">, target: OpenTarget): Statement => expectThat(db, isOpen(target));

/** Returns the statements that fail the batch unless the target still waits and the actor may still invite to it. */
export const expectOpen = ({ db }: Pick<Ctx, "db">, target: OpenTarget, actor: Inviter): Statement[] => [
  expectWaiting({ db }, target),
  expectThat(
    db,
    target.kind === "account"
      ? isAdmin(actor.userId)
      : mayInviteMembers(actor.userId, { organization: target.organization.id, role: target.role }),
  ),
];

type InvitationVerb = "invitation_resent" | "invitation_link_made" | "invitation_revoked" | "invitation_declined";

/** Returns the statement that records what happened to an invitation. */
export function recordInvitation(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  target: OpenTarget,
  verb: InvitationVerb,
): Statement {
  if (target.kind === "account") {
    return recordAudit(ctx, `user.${verb}` satisfies AuditAction, { subject: userSubject(target) });
  }
  const { organization, email, role } = target;
  return recordAudit(ctx, `organization.${verb}` satisfies AuditAction, {
    subject: organizationSubject(organization),
    orgId: organization.id,
    meta: { address: email, role },
  });
}
