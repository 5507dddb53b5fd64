import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { isAdmin, mayInviteMembers } from "../inviter-rights.server";
import { expectWaiting, findTarget, invitationOf } from "../open-targets.server";
import { takeInvitation } from "./invitation-limits.server";
import { prepareInvitation } from "./prepare-invitation.server";

/** Limits the mails that one form causes, whoever fills it in. */
const MAX_RESENT = 3;

type Open = {
  userId: string | null;
  membershipId: string | null;
  invitedBy: string;
  inviterName: string;
  expiresAt: Instant;
};

/**
 * Sends the open invitations of an address again, in the names of those who invited, and for as long as they work
 * anyway: anybody may ask for it. Returns whether there are any. What has expired stays so.
 */
export async function resendInvitationsTo(ctx: Ctx, email: string): Promise<boolean> {
  const open = await findOpenInvitations(ctx, email);
  if (open.length === 0) return false;
  const { timeZone } = await getSettings(ctx.db);
  for (const invitation of open) await resendOnce(ctx, email, invitation, timeZone);
  return true;
}

const findOpenInvitations = ({ db, now }: Pick<Ctx, "db" | "now">, email: string): Promise<Open[]> =>
  db.all<Open>(sql`
    SELECT i.user_id AS userId, i.membership_id AS membershipId, i.invited_by AS invitedBy,
      i.inviter_name AS inviterName, i.expires_at AS expiresAt
    FROM (
      SELECT i.* FROM users u JOIN invitations i ON i.user_id = u.id
      WHERE u.email = ${email} AND u.status = 'pending' AND i.consumed_at IS NULL AND ${isAdmin(sql`i.invited_by`)}
      UNION ALL
      SELECT i.* FROM organization_memberships m JOIN invitations i ON i.membership_id = m.id
      WHERE m.invited_email = ${email} AND m.status = 'pending' AND i.consumed_at IS NULL
        AND ${mayInviteMembers(sql`i.invited_by`, { organization: sql`m.organization_id`, role: sql`m.role` })}
    ) i WHERE i.expires_at > ${now()} ORDER BY i.created_at DESC LIMIT ${MAX_RESENT}`);

async function resendOnce(ctx: Ctx, email: string, invitation: Open, timeZone: string): Promise<void> {
  const { userId, membershipId, invitedBy, inviterName, expiresAt } = invitation;
  const target = await findTarget(ctx, userId !== null ? { userId } : { membershipId: membershipId ?? "" });
  if (!target) return;
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: "form" });
  if (!giveBack) return;
  const inviter = { userId: invitedBy, fullName: inviterName };
  const link = prepareInvitation(ctx, { ...invitationOf(target, inviter), expiresAt }, { timeZone });
  const written = await commit(ctx.db, [expectWaiting(ctx, target), ...link.statements]);
  if (!written) await giveBack();
}
