import { type SQL, sql } from "drizzle-orm";
import { type Actor, type OrganizationRole, platformRole } from "~/access/model";
import { expectThat, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import type { AuditAction } from "~/features/audit/model";
import { eraseAuditLabels, recordAudit } from "~/features/audit/record-audit.server";
import { eraseMail, eraseMails, recipientHash } from "~/features/mail/enqueue-mail.server";
import { organizationSubject } from "~/features/organizations/model";
import { userSubject } from "~/features/users/model";
import type { Ctx } from "~/platform/context.server";
import { isAdmin, mayInviteMembers, mayInviteTo } from "./invite-permissions.server";
import {
  type InvitationTarget,
  type Inviter,
  type OpenTarget,
  ORGANIZATION_ROLE_LABELS,
  PLATFORM_ROLE_LABELS,
} from "./model";

export const IS_NEW: SQL = sql`o.needs_review_at IS NOT NULL AS isNew`;

/** Null: it does not wait, or the actor may not invite to it. */
export async function findOpenTarget(
  ctx: Pick<Ctx, "db">,
  actor: Actor,
  target: InvitationTarget,
): Promise<OpenTarget | null> {
  const found = await findTarget(ctx, target);
  return found && mayInviteTo(actor, found) ? found : null;
}

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

const isOpen = (target: OpenTarget): SQL =>
  target.kind === "account"
    ? sql`exists (select 1 from users where id = ${target.userId} and status = 'pending')`
    : sql`exists (select 1 from organization_memberships where id = ${target.membershipId}
        and status = 'pending' and user_id is null)`;

/** Returns the statement that fails the batch unless the target still waits for its person. */
export const expectWaiting = ({ db }: Pick<Ctx, "db">, target: OpenTarget): Statement => expectThat(db, isOpen(target));

export const expectOpen = ({ db }: Pick<Ctx, "db">, target: OpenTarget, actor: Actor): Statement[] => [
  expectWaiting({ db }, target),
  expectThat(
    db,
    target.kind === "account"
      ? isAdmin(actor.userId)
      : mayInviteMembers(actor.userId, { organization: target.organization.id, role: target.role }),
  ),
];

/** The facts of an event, in which the address is not shown once it was erased. */
export const invitedAddress = (ctx: Pick<Ctx, "config">, address: string) => ({
  address,
  people: { address: recipientHash(ctx, address) },
});

export function recordInvitation(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request" | "signedIn">,
  target: OpenTarget,
  verb: "invitation_resent" | "invitation_link_made" | "invitation_revoked" | "invitation_declined",
): Statement {
  if (target.kind === "account") {
    return recordAudit(ctx, `user.${verb}` satisfies AuditAction, { subject: userSubject(target) });
  }
  const { organization, email, role } = target;
  return recordAudit(ctx, `organization.${verb}` satisfies AuditAction, {
    subject: organizationSubject(organization),
    orgId: organization.id,
    meta: { ...invitedAddress(ctx, email), role },
  });
}

/** What an invitation was for goes with it: the membership or the account, its links, and what was written about it. */

export const removeTarget = (ctx: Pick<Ctx, "db">, target: OpenTarget): Statement[] =>
  target.kind === "account"
    ? removePendingAccounts(ctx, sql`id = ${target.userId}`)
    : removePendingMemberships(ctx, sql`id = ${target.membershipId}`);

/** Returns the statements that delete accounts which nobody has accepted, by a condition on `users`. */
export function removePendingAccounts({ db }: Pick<Ctx, "db">, condition: SQL): Statement[] {
  const pending = sql`status = 'pending' and ${condition}`;
  const ids = sql`select id from users where ${pending}`;
  return [eraseMail(db, "user", ids), eraseAuditLabels(db, "user", ids), db.delete(users).where(pending)];
}

/** Returns the statements that delete memberships which nobody has accepted, by a condition on them. */
export function removePendingMemberships({ db }: Pick<Ctx, "db">, condition: SQL): Statement[] {
  const pending = sql`status = 'pending' and user_id is null and ${condition}`;
  const ids = sql`select id from organization_memberships where ${pending}`;
  return [
    eraseMails(db, sql`select mail_id from invitations where membership_id in (${ids})`),
    db.delete(organizationMemberships).where(pending),
  ];
}
