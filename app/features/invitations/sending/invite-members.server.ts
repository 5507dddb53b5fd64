import { type SQL, sql } from "drizzle-orm";
import type { OrganizationRole } from "~/access/model";
import { can } from "~/access/policy";
import { commit, type Db, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { notifyPeople } from "~/features/notifications/notify-people.server";
import { organizationSubject } from "~/features/organizations/subject";
import { getSettings } from "~/features/settings/queries.server";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { mayInviteMembers } from "../inviter-rights.server";
import { type InviteOutcome, type Inviter, ORGANIZATION_ROLE_LABELS } from "../model";
import { isNewOrganization, senderOf, takeInvitation } from "./invitation-limits.server";
import { prepareInvitation } from "./prepare-invitation.server";

type Organization = { id: string; name: string };
/** Tells also whether staff have yet to review it. */
type KnownOrganization = Organization & { isNew: boolean };

type Invitations = {
  inviter: Inviter;
  organization: Organization;
  /** Holds the addresses as they were typed; one that occurs twice is invited once. */
  emails: readonly string[];
  /** Names the role: only administrators of the platform invite an owner, to an organization that has none. */
  role: OrganizationRole;
};

type Invited = { email: string; outcome: InviteOutcome };

/**
 * Invites people to an organization by their addresses. Each address is a batch of its own, so that a wrong one stops
 * none of the others. Whether an address has an account changes nothing that the inviter can see, unless the settings
 * ask for accounts.
 */
export async function inviteMembers(
  ctx: Ctx,
  { inviter, organization, emails, role }: Invitations,
): Promise<Invited[]> {
  const addresses = [...new Set(emails.map(normalizeEmail))];
  const mayInvite =
    can(inviter, "member.invite", { organizationId: organization.id }) &&
    (role !== "owner" || can(inviter, "organization.manage"));
  if (!mayInvite) return addresses.map((email) => ({ email, outcome: "denied" }));
  const [settings, known, isNew] = await Promise.all([
    getSettings(ctx.db),
    findKnownAddresses(ctx.db, organization.id, addresses),
    isNewOrganization(ctx.db, organization.id),
  ]);
  const invited: Invited[] = [];
  for (const email of addresses) {
    const found = known.get(email);
    const invitation = { inviter, organization: { ...organization, isNew }, email, role, timeZone: settings.timeZone };
    const outcome =
      reasonAgainst(email, { inviter, found, needsAccount: settings.onlyInviteExistingAccounts }) ??
      (await inviteMember(ctx, invitation));
    invited.push({ email, outcome });
  }
  if (invited.some(({ outcome }) => outcome === "invited")) ctx.after(deliverOutbox(ctx));
  return invited;
}

type KnownAddress = { member: number; pending: number; account: number; own: string | null };

/** Returns why an address is not invited, as far as that is known before the batch. */
function reasonAgainst(
  email: string,
  { inviter, found, needsAccount }: { inviter: Inviter; found: KnownAddress | undefined; needsAccount: boolean },
): InviteOutcome | null {
  if (email.length > EMAIL_MAX || !isEmailAddress(email)) return "invalid";
  if (found?.member) return "already_member";
  if (found?.own === inviter.userId) return "own_address";
  if (found?.pending) return "invited_before";
  return needsAccount && !found?.account ? "no_account" : null;
}

/** Reads what the organization, and the product, know of addresses. */
async function findKnownAddresses(
  db: Db,
  organizationId: string,
  emails: readonly string[],
): Promise<Map<string, KnownAddress>> {
  const rows = await db.all<KnownAddress & { email: string }>(sql`
    SELECT typed.value AS email, u.id AS own, u.status = 'active' AS account,
      EXISTS (SELECT 1 FROM organization_memberships WHERE organization_id = ${organizationId} AND user_id = u.id) AS member,
      EXISTS (SELECT 1 FROM organization_memberships WHERE organization_id = ${organizationId}
        AND invited_email = typed.value AND status = 'pending') AS pending
    FROM json_each(${JSON.stringify(emails)}) typed LEFT JOIN users u ON u.email = typed.value`);
  return new Map(rows.map(({ email, ...known }) => [email, known]));
}

type MemberInvitation = {
  inviter: Inviter;
  organization: KnownOrganization;
  email: string;
  role: OrganizationRole;
  timeZone: string;
};

async function inviteMember(ctx: Ctx, invitation: MemberInvitation): Promise<InviteOutcome> {
  const { email, inviter, organization, timeZone } = invitation;
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender: senderOf(inviter, organization) });
  if (!giveBack) return "limited";
  const outcome = await storeInvitation(ctx, invitation);
  if (outcome !== "invited") await giveBack();
  return outcome;
}

async function storeInvitation(ctx: Ctx, invitation: MemberInvitation): Promise<InviteOutcome> {
  const { email, organization, inviter, role } = invitation;
  try {
    const written = await commit(ctx.db, [
      expectThat(ctx.db, mayInviteMembers(inviter.userId, { organization: organization.id, role })),
      ...memberInvitation(ctx, invitation),
    ]);
    if (written) return "invited";
    const known = await findKnownAddresses(ctx.db, organization.id, [email]);
    return known.get(email)?.member ? "already_member" : "denied";
  } catch (error) {
    if (isDuplicate(error, "organization_memberships.organization_id")) return "invited_before";
    throw error;
  }
}

/**
 * Returns the statements that invite one address, for a batch that may also create the organization. The batch fails
 * when the person is a member already, or when there is an owner and another is invited; afterwards the caller delivers
 * the outbox.
 */
export function memberInvitation(
  ctx: Ctx,
  { inviter, organization, email, role, timeZone }: MemberInvitation,
): Statement[] {
  const membershipId = ctx.newId("mem");
  const now = ctx.now();
  const link = prepareInvitation(
    ctx,
    { email, inviter, role: ORGANIZATION_ROLE_LABELS[role], membershipId, organization },
    { timeZone },
  );
  return [
    expectThat(ctx.db, canBeInvited(organization.id, email, role)),
    ctx.db.insert(organizationMemberships).values({
      id: membershipId,
      organization_id: organization.id,
      role,
      status: "pending",
      invited_email: email,
      invited_by: inviter.userId,
      invited_at: now,
      created_at: now,
      updated_at: now,
    }),
    ...link.statements,
    ...notifyPeople(ctx, {
      subject: organizationSubject(organization),
      label: sql`${organization.name}`,
      itemId: membershipId,
      recipients: [{ event: "invited", people: memberElsewhere(email) }],
      actor: inviter,
      mail: null,
    }),
    recordAudit(ctx, "organization.member_invited", {
      subject: organizationSubject(organization),
      orgId: organization.id,
      meta: { address: email, role },
    }),
  ];
}

/** Returns the query for whoever has an address, with the organization in which they read what they are told. */
const memberElsewhere = (email: string): SQL => sql`
  SELECT m.user_id, m.organization_id FROM users u
  JOIN organization_memberships m ON m.user_id = u.id AND m.status = 'active'
  WHERE u.email = ${email} AND u.status = 'active' ORDER BY m.created_at DESC LIMIT 1`;

/**
 * Returns the condition that the organization exists, that the person is no member and that there is one owner at most.
 */
const canBeInvited = (organizationId: string, email: string, role: OrganizationRole): SQL =>
  sql`exists (select 1 from organizations where id = ${organizationId})
    and not exists (select 1 from organization_memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email})
    and (${role} <> 'owner' or not exists (select 1 from organization_memberships
      where organization_id = ${organizationId} and role = 'owner'))`;
