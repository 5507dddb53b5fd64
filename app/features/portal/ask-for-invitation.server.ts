import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import { commit, expectThat } from "~/db/client.server";
import type { ClientActor } from "~/features/auth/guards.server";
import { prepareInvitation, takeInvitation } from "~/features/invitations/sending.server";
import { IS_NEW, invitationOf, mayInviteMembers, recordInvitation } from "~/features/invitations/targets.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";

type Row = {
  email: string;
  role: OrganizationRole;
  organizationId: string;
  organizationName: string;
  isNew: number;
  inviterId: string;
  inviterName: string;
};

/**
 * Sends a person the invitation again that waits for the address they have proved, in the name of whoever sent the last
 * one and may still invite. The link before ends.
 */
export async function askForInvitation(
  ctx: Ctx,
  { email }: ClientActor,
  membershipId: string,
): Promise<Result<null, "not_found" | "limited">> {
  const row = await ctx.db.get<Row | undefined>(sql`
    SELECT m.invited_email AS email, m.role, o.id AS organizationId, o.name AS organizationName, ${IS_NEW},
      i.invited_by AS inviterId, u.full_name AS inviterName
    FROM organization_memberships m
    JOIN organizations o ON o.id = m.organization_id
    JOIN invitations i ON i.membership_id = m.id JOIN users u ON u.id = i.invited_by
    WHERE m.id = ${membershipId} AND ${isOpenFor(email)}
      AND ${mayInviteMembers(sql`i.invited_by`, { organization: sql`o.id`, role: sql`m.role` })}
    ORDER BY i.created_at DESC LIMIT 1`);
  if (!row) return fail("not_found");
  const organization = { id: row.organizationId, name: row.organizationName, isNew: row.isNew === 1 };
  const target = { kind: "membership", membershipId, organization, email: row.email, role: row.role } as const;
  const { timeZone } = await getSettings(ctx.db);
  // Not of the organization's invitations of the day: it is not the organization that asks. Nor of those by forms,
  // which others may fill in with the address.
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: "invitee" });
  if (!giveBack) return fail("limited");
  const invitation = invitationOf(target, { userId: row.inviterId, fullName: row.inviterName });
  const isSent = await commit(ctx.db, [
    expectThat(
      ctx.db,
      sql`exists (select 1 from organization_memberships m where m.id = ${membershipId} and ${isOpenFor(email)})`,
    ),
    expectThat(ctx.db, mayInviteMembers(row.inviterId, { organization: organization.id, role: row.role })),
    ...prepareInvitation(ctx, invitation, { timeZone }).statements,
    recordInvitation(ctx, target, "invitation_resent"),
  ]);
  if (!isSent) {
    await giveBack();
    return fail("not_found");
  }
  ctx.after(deliverOutbox(ctx));
  return ok(null);
}

const isOpenFor = (email: string): SQL => sql`m.status = 'pending' AND m.invited_email = ${email}`;
