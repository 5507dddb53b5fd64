import type { Actor } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { commit, expectChange, expectThat, type Statement } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import type { MembershipChange } from "~/features/mail/account-mail-data";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import { fail, ok, type Result } from "~/lib/result";
import { disconnectUser } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import type { Membership, MembershipError, MembershipTarget } from "./model";
import { findMembership } from "./queries.server";

/** Says whether a command has changed something, or found the membership as it was to be. */
export type MembershipResult = Result<{ changed: boolean }, MembershipError>;

type Change = {
  ability: Ability;
  /** Tells whether the membership is already as it is to be. */
  isDone: (membership: Membership) => boolean;
  /** Returns the statement that changes exactly the row that was read, or no row if that has changed since. */
  write: (membership: Membership) => Statement;
  action: AuditAction;
  /** Returns what was before and after. */
  facts?: (membership: Membership) => Record<string, unknown>;
  mail: MembershipChange;
};

/**
 * Changes the membership of somebody else who is not the owner: one batch with the change, its audit event and the mail
 * to the person. The batch fails when the actor has lost the right since, or the row is not as it was read. Afterwards
 * the person's sockets are closed, so that a live connection ends with the access it had.
 */
export async function changeMembership(
  ctx: Ctx,
  actor: Actor,
  target: MembershipTarget,
  change: Change,
): Promise<MembershipResult> {
  const membership = await findMembership(ctx.db, target);
  if (!membership || !can(actor, change.ability, membership)) return fail("not_found");
  if (membership.userId === actor.userId) return fail("own");
  if (membership.role === "owner") return fail("owner");
  if (change.isDone(membership)) return ok({ changed: false });

  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, change.ability, membership.organizationId)),
    change.write(membership),
    expectChange(ctx.db),
    recordMembershipChange(ctx, membership, { action: change.action, facts: change.facts?.(membership) }),
    membershipMail(ctx, membership, change.mail),
  ]);
  if (!written) return whyNot(ctx, target, change);
  onMembershipsChanged(ctx, [membership]);
  return ok({ changed: true });
}

/** Tells why a batch has failed: a colleague did the same, made the person the owner, or did something else. */
async function whyNot(ctx: Pick<Ctx, "db">, target: MembershipTarget, { isDone }: Change): Promise<MembershipResult> {
  const membership = await findMembership(ctx.db, target);
  if (!membership) return fail("not_found");
  if (membership.role === "owner") return fail("owner");
  return isDone(membership) ? ok({ changed: false }) : fail("changed");
}

/** Returns the statement that records a change of a membership, with the name that the organization has now. */
export const recordMembershipChange = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { organizationId, organizationName, userId, name }: Membership,
  { action, facts = {} }: { action: AuditAction; facts?: Record<string, unknown> },
): Statement =>
  recordAudit(ctx, action, {
    subject: userSubject({ userId, fullName: name }),
    orgId: organizationId,
    meta: { organization: organizationName, ...facts },
  });

/** Returns the statement that tells a person what has become of their membership. */
export const membershipMail = (
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  { userId, email, organizationName }: Membership,
  change: MembershipChange,
): Statement =>
  enqueueMail(ctx, "membership-changed", {
    to: email,
    about: { type: "user", id: userId },
    data: { organization: organizationName, change },
  });

/** Does what follows the commit of a change: closes the sockets of the people and sends the mails. */
export function onMembershipsChanged(ctx: Ctx, memberships: readonly Membership[]): void {
  for (const { userId, organizationId } of memberships) {
    disconnectUser(ctx, userId, { formerOrganizationId: organizationId });
  }
  ctx.after(deliverOutbox(ctx));
}
