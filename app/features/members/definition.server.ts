import { sql } from "drizzle-orm";
import type { Actor, OrganizationRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { shownMailStatus } from "~/features/mail/mail-pause.server";
import { failureWords, type MailStatus, UNDELIVERED } from "~/features/mail/model";
import type { CsvCell } from "~/lib/csv";
import { inUtc } from "~/lib/csv";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { type Clause, type RowSource, searchByNumber } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { memberList, teamList } from "./definition";
import { MEMBER_STATUS_LABELS } from "./labels";
import type { ListedMember, MembershipStatus } from "./model";

/*
 * What the lists of members have in common: that of all, for staff, and that of one organization, for its admins.
 */

type MemberFilter = {
  q: string;
  organization?: string | null;
  role: OrganizationRole | null;
  status: MembershipStatus | null;
  sort: "newest" | "oldest";
};

type MemberCriteria = ListCriteria<"newest" | "oldest"> & {
  organizationId?: string | null;
  role?: OrganizationRole | null;
  status?: MembershipStatus | null;
};

const memberCriteria = ({ organization = null, ...filter }: MemberFilter, viewer: ListViewer): MemberCriteria => ({
  ...commonCriteria(filter, viewer),
  organizationId: organization,
  role: filter.role,
  status: filter.status,
});

const ofOwnOrganization = ({ membership }: Actor): { organizationId?: string } => ({
  organizationId: membership?.organizationId,
});

function memberClauses({ organizationId, role, status }: Partial<MemberCriteria>): Clause[] {
  const clauses: Clause[] = [];
  if (organizationId) {
    const where = sql`t.organization_id = ${organizationId}`;
    clauses.push({ key: "organization", where, token: { has: `@${organizationId}.` } });
  }
  if (role) clauses.push({ key: "role", where: sql`t.role = ${role}`, token: { has: `r.${role.charAt(0)}` } });
  if (status) {
    clauses.push({ key: "status", where: sql`t.status = ${status}`, token: { has: `s.${status.charAt(0)}` } });
  }
  return clauses;
}

const MEMBER_SOURCE = {
  table: "organization_memberships",
  joins: `LEFT JOIN organizations o ON o.id = t.organization_id LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN invitations i INDEXED BY open_membership_invitation ON i.membership_id = t.id AND i.consumed_at IS NULL
    LEFT JOIN outbox q ON q.id = i.mail_id`,
  orders: {
    joined: {
      columns: { number: "number" },
      indexes: {
        memberships_in_order: [],
        memberships_by_status: ["status"],
        memberships_by_role: ["role"],
        memberships_by_role_and_status: ["role", "status"],
        members_in_order: ["organization"],
        members_by_status: ["organization", "status"],
        members_by_role: ["organization", "role"],
        members_by_role_and_status: ["organization", "role", "status"],
      },
    },
  },
  search: searchByNumber("membership_search", { rowIdIndex: "memberships_in_order", order: "joined" }),
} as const satisfies RowSource;

export type MemberCounts = { all: number; active: number; pending: number; suspended: number; administrators: number };

export async function countMemberships(db: Db): Promise<MemberCounts> {
  const read = await readTotals(db, ["membership.active", "membership.suspended"]);
  const { active = 0, pending = 0, suspended = 0, administrators = 0 } = read;
  return { all: active + pending + suspended, active, pending, suspended, administrators };
}

export type TeamCounts = { all: number; active: number; administrators: number };

export async function countTeam(db: Db, organizationId: string): Promise<TeamCounts> {
  const row = await db.get<TeamCounts | undefined>(sql`
    SELECT all_members AS "all", active_members AS active, administrators FROM organizations WHERE id = ${organizationId}`);
  return row ?? { all: 0, active: 0, administrators: 0 };
}

function maintainedMemberCount(
  db: Db,
  { search, organizationId, role, status }: MemberCriteria,
): Promise<number> | null {
  if (search || role) return null;
  if (!organizationId) return countMemberships(db).then((counts) => counts[status ?? "all"]);
  if (status && status !== "active") return null;
  return countTeam(db, organizationId).then((counts) => counts[status ?? "all"]);
}

type StoredMember = {
  id: string;
  organization_id: string;
  organization_name: string;
  user_id: string | null;
  full_name: string | null;
  phone?: string | null;
  address: string;
  role: OrganizationRole;
  status: MembershipStatus;
  joined_at: number | null;
};

type InvitedMember = {
  inviter_name: string | null;
  sent_at: number;
  expires_at: number;
  mail: MailStatus | null;
  failure: string | null;
};

const memberColumns = (
  organizationName: string,
) => `t.id, t.organization_id, ${organizationName} AS organization_name, t.user_id, u.full_name,
  coalesce(u.email, t.invited_email) AS address, t.role, t.status, t.joined_at,
  i.inviter_name, i.created_at AS sent_at, i.expires_at, ${shownMailStatus("q")} AS mail, q.last_error AS failure`;

const MEMBER_COLUMNS = `${memberColumns("o.name")}, u.phone`;

/**
 * Lists what is read for a row where all are of one organization: its name, which the frame shows, is not looked up.
 */
const TEAM_COLUMNS = memberColumns("''");

const listedMember = (row: StoredMember & InvitedMember): ListedMember => ({
  id: row.id,
  organizationId: row.organization_id,
  organizationName: row.organization_name,
  userId: row.user_id,
  name: row.full_name || row.address,
  email: row.address,
  ...(row.phone ? { phone: row.phone } : {}),
  role: row.role,
  status: row.status,
  joinedAt: row.joined_at,
  invitation: row.inviter_name === null ? null : invitationOf({ ...row, inviter_name: row.inviter_name }),
});

const invitationOf = ({
  inviter_name,
  sent_at,
  expires_at,
  mail,
  failure,
}: InvitedMember & { inviter_name: string }) => ({
  invitedBy: inviter_name,
  sentAt: sent_at,
  expiresAt: expires_at,
  mail,
  failure: failure !== null && UNDELIVERED.some((status) => status === mail) ? failureWords(failure) : null,
});

const MEMBER_CELLS = {
  Name: (row) => row.full_name,
  Email: (row) => row.address,
  Organization: (row) => row.organization_name,
  Role: (row) => ORGANIZATION_ROLE_LABELS[row.role],
  Status: (row) => MEMBER_STATUS_LABELS[row.status],
  "Joined (UTC)": (row) => inUtc(row.joined_at),
  "Joined (site time)": (row, zone) => (row.joined_at === null ? null : formatInstant(row.joined_at, zone, "datetime")),
} satisfies Record<string, (row: StoredMember, zone: string) => CsvCell>;

const MEMBER_ROWS = {
  ...MEMBER_SOURCE,
  criteriaOf: memberCriteria,
  clauses: memberClauses,
  maintainedCount: maintainedMemberCount,
  maintainsLimitedCounts: true,
  columns: MEMBER_COLUMNS,
  view: listedMember,
  csv: { columns: MEMBER_COLUMNS, cells: MEMBER_CELLS },
};

export const memberRows = defineRows({
  ...MEMBER_ROWS,
  list: memberList,
  visibleTo: { any: () => ({}), organization: ofOwnOrganization },
});

export const teamRows = defineRows({
  ...MEMBER_ROWS,
  list: teamList,
  visibleTo: { any: ofOwnOrganization, organization: ofOwnOrganization },
  columns: TEAM_COLUMNS,
});
