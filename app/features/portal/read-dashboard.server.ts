import { sql } from "drizzle-orm";
import { isStaffRole, type OrganizationRole } from "~/access/model";
import { can } from "~/access/policy";
import type { Plan } from "~/content/plans-and-prices";
import type { ClientActor, MemberActor } from "~/features/auth/guards.server";
import { listSuspensions } from "~/features/auth/queries.server";
import { LEAVE_ORGANIZATION } from "~/features/organization-settings/labels";
import { LEAVE_PATH } from "~/features/organization-settings/model";
import { getSettings, plansIn, readInSiteZone } from "~/features/settings/queries.server";
import { viewerOf } from "~/features/tickets/access.server";
import { allowanceYears, readUses } from "~/features/tickets/allowances/ledger.server";
import { readAwaited, readRecentTickets } from "~/features/tickets/client-list/list.server";
import { dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { portalNavigation } from "./layout.server";
import type { NextSteps, OpenInvitation, PortalDashboard, TeamMember } from "./model";

const TEAM_SHOWN = 6;
const INVITATIONS_SHOWN = 10;

type MemberRow = { name: string | null; email: string | null; role: OrganizationRole; status: string; userId: string };

/** The team is for its administrators. */
export async function readDashboard(
  ctx: Pick<Ctx, "db" | "now" | "publishedSettings">,
  actor: MemberActor,
): Promise<PortalDashboard> {
  const { organizationId } = actor.membership;
  const [organization, team, { settings, value }] = await Promise.all([
    ctx.db.get<{
      id: string;
      name: string;
      description: string;
      plan: "none" | "basic" | "core" | "premium";
      contractStartedAt: Instant | null;
      members: number;
      withFactor: number;
    }>(sql`
      SELECT o.id, o.name, o.description, o.plan, o.contract_started_at AS contractStartedAt,
        o.active_members AS members, o.active_members - o.members_without_mfa AS withFactor
      FROM organizations o WHERE o.id = ${organizationId}`),
    can(actor, "member.list") ? listFirstMembers(ctx, organizationId) : null,
    readInSiteZone(ctx.db, (zone) =>
      Promise.all([
        readRecentTickets(ctx, actor, zone),
        readAwaited(ctx, actor, zone),
        readUses(ctx.db, viewerOf(actor), { zone, now: ctx.now() }),
      ]),
    ),
  ]);
  const [recent, awaited, uses] = value;
  const { contractStartedAt, withFactor: protectedMembers, plan, ...shown } = organization;
  return {
    organizationId,
    organization: shown,
    recent,
    awaited,
    links: cardLinks(actor),
    plan: planOf(
      plansIn(settings).find(({ id }) => id === plan),
      contractStartedAt === null ? null : dayIn(settings.timeZone, contractStartedAt),
    ),
    allowances: allowanceYears(organization, uses, { zone: settings.timeZone, now: ctx.now() }),
    team: team && {
      members: team.map((member) => teamMember(member, actor.userId)),
      withFactor: protectedMembers,
      listsOthers: can(actor, "organization.require_mfa"),
    },
  };
}

/** Who may not open its settings leaves it from here. */
const cardLinks = (actor: MemberActor): PortalDashboard["links"] => [
  ...portalNavigation.flatMap(({ ability, cardLabel, path }) =>
    cardLabel && (ability === null || can(actor, ability)) ? { label: cardLabel, path } : [],
  ),
  ...(can(actor, "organization.edit") ? [] : [{ label: LEAVE_ORGANIZATION, path: LEAVE_PATH }]),
];

const listFirstMembers = ({ db }: Pick<Ctx, "db">, organizationId: string) =>
  db.all<MemberRow>(sql`
    SELECT u.full_name AS name, m.invited_email AS email, m.role, m.status, m.user_id AS userId
    FROM organization_memberships m LEFT JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} ORDER BY m.number LIMIT ${TEAM_SHOWN}`);

const teamMember = ({ name, email, role, status, userId }: MemberRow, ownId: string): TeamMember => ({
  name: name ?? email ?? "",
  note: [userId === ownId ? "you" : null, role, STATUS_NOTES[status]].filter(Boolean).join(", "),
});

const STATUS_NOTES: Record<string, string | undefined> = { pending: "pending", suspended: "suspended" };

const planOf = (plan: Plan | undefined, startedOn: string | null): PortalDashboard["plan"] =>
  plan ? { name: plan.name, features: plan.features, startedOn } : null;

export async function readNextSteps(
  ctx: Pick<Ctx, "db" | "now" | "signedIn">,
  { userId, email }: ClientActor,
): Promise<NextSteps> {
  const [invitations, requested, suspendedFrom, { signUpPolicy }] = await Promise.all([
    ctx.db.all<Omit<OpenInvitation, "isExpired"> & { expiresAt: Instant }>(sql`
      SELECT m.id, o.name AS organization, i.inviter_name AS inviter, i.expires_at AS expiresAt
      FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
      JOIN invitations i ON i.membership_id = m.id AND i.consumed_at IS NULL
      WHERE m.invited_email = ${email} AND m.status = 'pending' ORDER BY m.number DESC LIMIT ${INVITATIONS_SHOWN}`),
    // One that they have created and that staff have not let in yet.
    ctx.db.get<{ name: string } | undefined>(sql`
      SELECT o.name FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = ${userId} AND m.status = 'pending' LIMIT 1`),
    listSuspensions(ctx.db, userId),
    getSettings(ctx.db),
  ]);
  return {
    suspendedFrom,
    invitations: invitations.map(({ expiresAt, ...each }) => ({ ...each, isExpired: expiresAt <= ctx.now() })),
    requested: requested?.name ?? null,
    mayCreate: signUpPolicy !== "invite_only",
    isStaff: ctx.signedIn !== null && isStaffRole(ctx.signedIn.role),
  };
}
