import { type SQL, sql } from "drizzle-orm";
import type { AddOnId } from "~/content/add-ons";
import type { Db } from "~/db/client.server";
import type { MemberOfRecord, OrganizationCounts, OrganizationDetails, OrganizationRecord } from "./model";

export async function countOrganizations(db: Db): Promise<OrganizationCounts> {
  const rows = await db.all<{ name: string; value: number }>(sql`
    SELECT name, value FROM totals
    WHERE name IN ('organization.all', 'organization.to_review', 'membership.active', 'ticket.open',
      'ticket.in_progress', 'ticket.waiting_for_customer', 'ticket.resolved', 'ticket.closed')`);
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  const activeTickets = valueOf("ticket.open") + valueOf("ticket.in_progress") + valueOf("ticket.waiting_for_customer");
  return {
    organizations: valueOf("organization.all"),
    toReview: valueOf("organization.to_review"),
    members: valueOf("membership.active"),
    tickets: activeTickets + valueOf("ticket.resolved") + valueOf("ticket.closed"),
    activeTickets,
  };
}

const MEMBERS_SHOWN = 10;

const DOMAINS = sql`(SELECT json_group_array(d.domain ORDER BY d.created_at, d.domain) FROM organization_domains d
  WHERE d.organization_id = o.id) AS domains`;

type StoredDetails = Omit<OrganizationDetails, "addOns" | "domains" | "reviewsContacts"> & {
  addOns: string;
  domains: string;
  reviewsContacts: number;
};

type Packed = Pick<StoredDetails, "addOns" | "domains" | "reviewsContacts">;

const detailsOf = ({ addOns, domains, reviewsContacts }: Packed) => ({
  addOns: addOns.split(",").filter(Boolean) as AddOnId[],
  domains: JSON.parse(domains) as string[],
  reviewsContacts: reviewsContacts === 1,
});

export async function findDetails(db: Db, id: string): Promise<OrganizationDetails | null> {
  const [row] = await db.all<StoredDetails>(sql`
    SELECT o.name, o.description, o.phone, o.plan, o.add_ons AS addOns, o.reviews_contacts AS reviewsContacts, ${DOMAINS}
    FROM organizations o WHERE o.id = ${id}`);
  return row ? { ...row, ...detailsOf(row) } : null;
}

type RecordRow = Omit<OrganizationRecord, keyof Packed | "needsReview"> & Packed & { needsReview: number };

export async function findRecord(db: Db, id: string): Promise<OrganizationRecord | null> {
  const [row] = await db.all<RecordRow>(sql`
    SELECT o.id, o.name, o.slug, o.description, o.phone, o.plan, o.add_ons AS addOns, o.version, o.created_at AS createdAt,
      o.contract_started_at AS contractStartedAt, o.needs_review_at IS NOT NULL AS needsReview, o.visibility,
      o.reviews_contacts AS reviewsContacts,
      o.mfa_required_at AS mfaRequiredAt, o.members_without_mfa AS membersWithoutMfa, o.active_members AS activeMembers,
      o.all_members AS allMembers, o.ticket_count AS tickets, o.active_ticket_count AS activeTickets, ${DOMAINS}
    FROM organizations o WHERE o.id = ${id}`);
  if (!row) return null;
  return { ...row, ...detailsOf(row), needsReview: row.needsReview === 1 };
}

const MEMBER = sql`m.id, u.full_name AS name, coalesce(u.email, m.invited_email) AS email, m.role, m.status,
  m.joined_at AS joinedAt, (SELECT c.full_name FROM contacts c WHERE u.id IS NULL AND c.email = m.invited_email
    AND c.organization_id = m.organization_id) AS knownAs, coalesce(nullif(u.phone, ''), (SELECT c.phone FROM contacts c
    WHERE c.email = coalesce(u.email, m.invited_email) AND c.organization_id = m.organization_id), '') AS phone,
  (SELECT max(s.created_at) FROM sessions s WHERE s.user_id = u.id) AS signedInAt`;

export async function findOrganizationOwner(db: Db, id: string): Promise<MemberOfRecord | null> {
  const [owner] = await db.all<MemberOfRecord>(sql`
    SELECT ${MEMBER} FROM organization_memberships m LEFT JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${id} AND m.role = 'owner' LIMIT 1`);
  return owner ?? null;
}

/** Finds who has created the organization and waits until staff have looked at it; null: nobody does. */
export async function findWaitingCreator(db: Db, id: string): Promise<{ userId: string; email: string } | null> {
  const [creator] = await db.all<{ userId: string; email: string }>(sql`
    SELECT u.id AS userId, u.email FROM organization_memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${id} AND m.status = 'pending' LIMIT 1`);
  return creator ?? null;
}

export const listFirstMembers = (db: Db, id: string): Promise<MemberOfRecord[]> =>
  db.all<MemberOfRecord>(sql`
    SELECT ${MEMBER} FROM organization_memberships m LEFT JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${id} ORDER BY m.number LIMIT ${MEMBERS_SHOWN}`);

export const pendingOwner = (id: string): SQL => sql`
  SELECT id FROM organization_memberships WHERE organization_id = ${id} AND role = 'owner' AND status = 'pending'`;
