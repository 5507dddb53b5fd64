import { and, eq, type SQL, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import type { OrganizationRole } from "~/access/model";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import type { ClientActor } from "~/features/auth/guards.server";
import { mayInviteMembers } from "~/features/invitations/invite-permissions.server";
import { prepareInvitation, takeInvitation } from "~/features/invitations/sending.server";
import { IS_NEW, invitationOf, recordInvitation } from "~/features/invitations/targets.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { createOrganization } from "~/features/organizations/create-organization.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import { socketTag } from "~/live/sockets.server";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type Planned, runCommand } from "~/platform/run-command.server";

/**
 * By the sign-up policy staff may have to approve it first, or nobody may. However many such forms arrive at once, one
 * wins.
 */
export async function createOwnOrganization(
  ctx: Ctx,
  actor: ClientActor,
  { name, description, nonce }: { name: string; description: string; nonce: string },
): Promise<Result<{ needsApproval: boolean }, "invite_only" | "limited" | "denied">> {
  const id = ctx.newId("org");
  const form = { scope: "organization-create", key: nonce };
  const created = await runCommand(ctx, form, {
    read: () => getSettings(ctx.db),
    plan: async ({ signUpPolicy }, { isFirst }): Promise<Planned<"invite_only" | "limited" | "denied">> => {
      if (signUpPolicy === "invite_only") return fail("invite_only");
      const limit = isFirst ? await takeLimit(ctx.db, "organization_user", actor.userId, ctx.now()) : null;
      if (limit?.allowed === false) return fail("limited");
      return ok({
        resultId: signUpPolicy,
        expects: [{ that: belongsNowhere(actor), otherwise: "denied" }],
        statements: [
          ...createOrganization(ctx, {
            id,
            name,
            description,
            owner: { ...actor, role: ctx.signedIn?.role ?? actor.role },
            needsApproval: signUpPolicy === "approval",
          }),
          ctx.db.update(sessions).set({ current_org_id: id }).where(eq(sessions.id_hash, actor.sessionHash)),
        ],
      });
    },
  });
  return created.ok ? ok({ needsApproval: created.value === "approval" }) : created;
}

const belongsNowhere = ({ userId }: ClientActor): SQL => sql`
  not exists (select 1 from organization_memberships where user_id = ${userId} and status in ('active', 'pending'))`;

type Row = {
  email: string;
  role: OrganizationRole;
  organizationId: string;
  organizationName: string;
  isNew: number;
  inviterId: string;
  inviterName: string;
};

/** The link before ends. */
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

/**
 * Only where the person has an active membership at that moment; false otherwise, whether there is such an
 * organization or not. Pages of the organization before lose their socket: they belong to what the session has left.
 */
export async function switchOrganization(
  ctx: Pick<Ctx, "db" | "live" | "after">,
  { userId, sessionHash, membership }: ClientActor,
  organizationId: string,
): Promise<boolean> {
  const isMember = sql`exists (select 1 from organization_memberships where organization_id = ${organizationId}
    and user_id = ${userId} and status = 'active')`;
  const isSwitched = await commit(ctx.db, [
    ctx.db
      .update(sessions)
      .set({ current_org_id: organizationId })
      .where(and(eq(sessions.id_hash, sessionHash), eq(sessions.user_id, userId), isMember)),
    expectChange(ctx.db),
  ]);
  if (isSwitched && membership && membership.organizationId !== organizationId) {
    ctx.after(ctx.live.disconnect(organizationAudience(membership.organizationId), socketTag.session(sessionHash)));
  }
  return isSwitched;
}
