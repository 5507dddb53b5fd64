import { and, eq, isNull } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { invitations } from "~/db/schema/organizations";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { withParams } from "~/lib/addresses";
import { shortDay, shortWeekday } from "~/lib/due";
import type { Subject } from "~/lib/subject";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { INVITATION_LIFETIME, INVITATION_PATH } from "../model";

/** Describes what an invitation is to, as its mail says it. */
type Invitation = {
  email: string;
  inviter: { userId: string; fullName: string };
  /** Names the role as the mail does. */
  role: string;
  /** Says when the invitation expires; by default a week from now. */
  expiresAt?: Instant;
} & ({ userId: string } | { membershipId: string; organization: { id: string; name: string; isNew: boolean } });

type PreparedInvitation = { path: string; statements: Statement[] };

/**
 * Prepares a link for an account or a membership, which ends the one before: the link, and the statements that store
 * it. Without a mail the link was handed over, and proves no address.
 */
export function prepareInvitation(
  ctx: Ctx,
  invitation: Invitation,
  mail: { timeZone: string } | null,
): PreparedInvitation {
  const { email, inviter, expiresAt = ctx.now() + INVITATION_LIFETIME } = invitation;
  const token = ctx.newToken();
  const now = ctx.now();
  const mailId = mail && ctx.newId("mail");
  const target = "userId" in invitation ? { user_id: invitation.userId } : { membership_id: invitation.membershipId };
  const path = withParams(INVITATION_PATH, { token });
  return {
    path,
    statements: [
      closeInvitations(ctx, invitation),
      ctx.db.insert(invitations).values({
        id_hash: hashToken(token),
        ...target,
        email,
        invited_by: inviter.userId,
        inviter_name: inviter.fullName,
        mail_id: mailId,
        created_at: now,
        expires_at: expiresAt,
      }),
      ...(mail && mailId
        ? [queueMail(ctx, mailId, invitation, { path, expiresOn: dayOf(mail.timeZone, expiresAt) })]
        : []),
    ],
  };
}

const dayOf = (zone: string, at: Instant): string => {
  const day = dayIn(zone, at);
  return `${shortWeekday(day)}, ${shortDay(day)}`;
};

function queueMail(
  ctx: Pick<Ctx, "config" | "db" | "now" | "newId">,
  id: string,
  invitation: Invitation,
  { path, expiresOn }: { path: string; expiresOn: string },
): Statement {
  const { email: to, inviter, role } = invitation;
  const data = { path, removePath: withParams(path, { answer: "no" }), inviter: inviter.fullName, role, expiresOn };
  const about: Subject =
    "userId" in invitation
      ? { type: "user", id: invitation.userId }
      : { type: "organization", id: invitation.organization.id };
  if ("userId" in invitation) return enqueueMail(ctx, "account-invitation", { id, to, about, data });
  const { name, isNew } = invitation.organization;
  return enqueueMail(ctx, "organization-invitation", { id, to, about, data: { ...data, organization: name, isNew } });
}

/** Returns the statement that ends the open link of an account or a membership. */
const closeInvitations = (ctx: Pick<Ctx, "db" | "now">, target: { userId: string } | { membershipId: string }) =>
  ctx.db
    .update(invitations)
    .set({ consumed_at: ctx.now() })
    .where(
      and(
        "userId" in target
          ? eq(invitations.user_id, target.userId)
          : eq(invitations.membership_id, target.membershipId),
        isNull(invitations.consumed_at),
      ),
    );
