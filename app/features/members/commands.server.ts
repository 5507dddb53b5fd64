import { and, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectChange, expectThat, type Statement } from "~/db/client.server";
import { organizationMemberships as m } from "~/db/schema/organizations";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { changeInvitedRole } from "~/features/invitations/sending.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { MailData } from "~/features/mail/kinds";
import { userSubject } from "~/features/users/model";
import { fail, ok, type Result } from "~/lib/errors";
import { isId } from "~/lib/ids";
import { disconnectUser } from "~/live/publish.server";
import type { Ctx } from "~/platform/context.server";
import {
  type Membership,
  type MembershipError,
  type MembershipTarget,
  SETTABLE_ROLES,
  SETTABLE_STATUSES,
  type SettableRole,
  type SettableStatus,
  type TransferError,
} from "./model";
import { findMembership, findOwner, findOwnMembership } from "./queries.server";

export const RoleChoice = z.enum(SETTABLE_ROLES);
export const StatusChoice = z.enum(SETTABLE_STATUSES);

export const MembershipForm = z.object({ id: z.string().refine((id) => isId("mem", id)) });

export type MembershipResult = Result<{ changed: boolean }, MembershipError>;

type Change = {
  isDone: (membership: Membership) => boolean;
  /** Returns the statement that changes exactly the row that was read, or no row if that has changed since. */
  write: (membership: Membership) => Statement;
  action: AuditAction;
  facts?: (membership: Membership) => Record<string, unknown>;
  mail: MailData["membership-changed"]["change"];
};

/**
 * Changes the membership of somebody else who is not the owner: one batch with the change, its audit event and the mail
 * to the person. The batch fails when the actor has lost the right since, or the row is not as it was read. Afterwards
 * the person's sockets are closed, so that a live connection ends with the access it had.
 */
async function changeMembership(
  ctx: Ctx,
  actor: Actor,
  target: MembershipTarget,
  change: Change,
): Promise<MembershipResult> {
  const membership = await findMembership(ctx.db, target);
  if (!membership || !can(actor, "member.change", membership)) return fail("not_found");
  if (membership.userId === actor.userId) return fail("own");
  if (membership.role === "owner") return fail("owner");
  if (change.isDone(membership)) return ok({ changed: false });

  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "member.change", membership.organizationId)),
    change.write(membership),
    expectChange(ctx.db),
    recordMembershipChange(ctx, membership, { action: change.action, facts: change.facts?.(membership) }),
    membershipMail(ctx, membership, change.mail),
  ]);
  if (!written) return whyNotChanged(ctx, target, change);
  onMembershipsChanged(ctx, [membership]);
  return ok({ changed: true });
}

/** Tells why a batch has failed: a colleague did the same, made the person the owner, or did something else. */
async function whyNotChanged(
  ctx: Pick<Ctx, "db">,
  target: MembershipTarget,
  { isDone }: Change,
): Promise<MembershipResult> {
  const membership = await findMembership(ctx.db, target);
  if (!membership) return fail("not_found");
  if (membership.role === "owner") return fail("owner");
  return isDone(membership) ? ok({ changed: false }) : fail("changed");
}

const recordMembershipChange = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { organizationId, organizationName, userId, name }: Membership,
  { action, facts = {} }: { action: AuditAction; facts?: Record<string, unknown> },
): Statement =>
  recordAudit(ctx, action, {
    subject: userSubject({ userId, fullName: name }),
    orgId: organizationId,
    meta: { organization: organizationName, ...facts },
  });

const membershipMail = (
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  { userId, email, organizationName }: Membership,
  change: MailData["membership-changed"]["change"],
): Statement =>
  enqueueMail(ctx, "membership-changed", {
    to: email,
    about: { type: "user", id: userId },
    data: { organization: organizationName, change },
  });

/** Does what follows the commit of a change: closes the sockets of the people and sends the mails. */
function onMembershipsChanged(ctx: Ctx, memberships: readonly Membership[]): void {
  for (const { userId, organizationId } of memberships) {
    disconnectUser(ctx, userId, { formerOrganizationId: organizationId });
  }
  ctx.after(deliverOutbox(ctx));
}

/** Makes somebody an admin or a member of their organization. Nobody changes their own role or that of the owner. */
export const changeMemberRole = (
  ctx: Ctx,
  actor: Actor,
  { role, ...target }: MembershipTarget & { role: SettableRole },
): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    isDone: (membership) => membership.role === role,
    write: (membership) =>
      ctx.db
        .update(m)
        .set({ role, updated_at: ctx.now() })
        .where(and(eq(m.id, membership.id), eq(m.role, membership.role), ne(m.status, "pending"))),
    action: "organization.member_role_changed",
    facts: ({ role: from }) => ({ from, to: role }),
    mail: role === "admin" ? "made_admin" : "made_member",
  });

export async function setMemberRole(
  ctx: Ctx,
  actor: Actor,
  target: MembershipTarget & { role: SettableRole },
): Promise<MembershipResult> {
  const changed = await changeMemberRole(ctx, actor, target);
  if (changed.ok || changed.code !== "not_found") return changed;
  return changeInvitedRole(ctx, actor, { ...target, organizationId: target.organizationId ?? undefined });
}

export const suspendMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    isDone: ({ status }) => status === "suspended",
    write: ({ id }) =>
      ctx.db
        .update(m)
        .set({ status: "suspended", updated_at: ctx.now() })
        .where(and(eq(m.id, id), eq(m.status, "active"), ne(m.role, "owner"))),
    action: "organization.member_suspended",
    mail: "suspended",
  });

export const reactivateMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    isDone: ({ status }) => status === "active",
    write: ({ id }) =>
      ctx.db
        .update(m)
        .set({ status: "active", updated_at: ctx.now() })
        .where(and(eq(m.id, id), eq(m.status, "suspended"), ne(m.role, "owner"))),
    action: "organization.member_reactivated",
    mail: "reactivated",
  });

/** Suspends or reactivates a member, whichever was chosen. */
export const setMemberStatus = (
  ctx: Ctx,
  actor: Actor,
  { status, ...target }: MembershipTarget & { status: SettableStatus },
): Promise<MembershipResult> => (status === "suspended" ? suspendMember : reactivateMember)(ctx, actor, target);

export const removeMember = (ctx: Ctx, actor: Actor, target: MembershipTarget): Promise<MembershipResult> =>
  changeMembership(ctx, actor, target, {
    isDone: () => false,
    write: ({ id, role }) =>
      ctx.db.delete(m).where(and(eq(m.id, id), eq(m.role, role), ne(m.role, "owner"), ne(m.status, "pending"))),
    action: "organization.member_removed",
    facts: ({ role }) => ({ role }),
    mail: "removed",
  });

/** Takes the actor out of the organization they work in. An owner has to transfer ownership before. */
export async function leaveOrganization(
  ctx: Ctx,
  { userId, membership: { organizationId } }: MemberActor,
): Promise<Result<null, "not_found" | "owner">> {
  const own = await findOwnMembership(ctx.db, { userId, organizationId });
  if (!own) return fail("not_found");
  if (own.role === "owner") return fail("owner");
  const written = await commit(ctx.db, [
    ctx.db.delete(m).where(and(eq(m.id, own.id), eq(m.user_id, userId), ne(m.role, "owner"))),
    expectChange(ctx.db),
    recordMembershipChange(ctx, own, { action: "organization.member_left", facts: { role: own.role } }),
  ]);
  // Left in another tab, removed by an admin, or made the owner since.
  if (!written) return fail((await findOwnMembership(ctx.db, { userId, organizationId })) ? "owner" : "not_found");
  disconnectUser(ctx, userId, { formerOrganizationId: organizationId });
  return ok(null);
}

/**
 * Makes an active member the owner of the organization, and the owner until now an admin, in one batch: there is
 * exactly one owner before and after. Whoever may do it has to prove their identity first, which the route checks.
 * `reason`: why staff do it; the history of the organization keeps it.
 */
export async function transferOwnership(
  ctx: Ctx,
  actor: Actor,
  target: MembershipTarget,
  { reason }: { reason?: string } = {},
): Promise<Result<{ changed: boolean }, TransferError>> {
  const next = await findMembership(ctx.db, target);
  if (!next || !can(actor, "organization.transfer", next)) return fail("not_found");
  if (next.role === "owner") return ok({ changed: false });
  if (!canOwn(next)) return fail("inactive");
  const owner = await findOwner(ctx.db, next.organizationId);
  if (owner === "invited") return fail("owner_invited");

  const { organizationId } = next;
  const updated_at = ctx.now();
  const isOwner = and(eq(m.organization_id, organizationId), eq(m.role, "owner"));
  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.transfer", organizationId)),
    ...(owner
      ? [
          ctx.db
            .update(m)
            .set({ role: "admin", updated_at })
            .where(and(isOwner, eq(m.id, owner.id))),
          expectChange(ctx.db),
        ]
      : []),
    ctx.db
      .update(m)
      .set({ role: "owner", updated_at })
      .where(and(eq(m.id, next.id), eq(m.status, "active"), isActiveAccount(next.userId))),
    expectChange(ctx.db),
    expectThat(ctx.db, sql`(SELECT count(*) FROM ${m} WHERE ${isOwner}) = 1`),
    recordMembershipChange(ctx, next, {
      action: "organization.ownership_transferred",
      facts: { former_owner: owner?.name ?? null, ...(reason ? { reason } : {}) },
    }),
    membershipMail(ctx, next, "made_owner"),
    ...(owner ? [membershipMail(ctx, owner, "no_longer_owner")] : []),
  ]);
  if (!written) return whyNotTransferred(ctx, target);
  onMembershipsChanged(ctx, owner ? [owner, next] : [next]);
  return ok({ changed: true });
}

const canOwn = ({ status, hasActiveAccount }: Membership) => status === "active" && hasActiveAccount;

const isActiveAccount = (userId: string) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;

/** Tells why the batch has failed: the new owner is gone, cannot be one, or something else has changed. */
async function whyNotTransferred(
  ctx: Pick<Ctx, "db">,
  target: MembershipTarget,
): Promise<Result<{ changed: boolean }, TransferError>> {
  const next = await findMembership(ctx.db, target);
  if (!next) return fail("not_found");
  if (next.role === "owner") return ok({ changed: false });
  return fail(canOwn(next) ? "changed" : "inactive");
}
