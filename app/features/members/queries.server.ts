import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { Membership, MembershipTarget } from "./model";

async function findMembershipWhere(db: Db, condition: SQL): Promise<Membership | null> {
  const row = await db.get<(Omit<Membership, "hasActiveAccount"> & { account_status: string }) | undefined>(sql`
    SELECT m.id, m.organization_id AS organizationId, o.name AS organizationName, m.user_id AS userId,
      u.full_name AS name, u.email, u.status AS account_status, m.role, m.status
    FROM organization_memberships m
    JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id
    WHERE ${condition} AND m.status <> 'pending'`);
  if (!row) return null;
  const { account_status, ...membership } = row;
  return { ...membership, hasActiveAccount: account_status === "active" };
}

export const findMembership = (
  db: Db,
  { membershipId, organizationId }: MembershipTarget,
): Promise<Membership | null> =>
  findMembershipWhere(
    db,
    organizationId === null
      ? sql`m.id = ${membershipId}`
      : sql`m.id = ${membershipId} AND m.organization_id = ${organizationId}`,
  );

export const findOwnMembership = (
  db: Db,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<Membership | null> =>
  findMembershipWhere(db, sql`m.organization_id = ${organizationId} AND m.user_id = ${userId}`);

export async function findOwner(db: Db, organizationId: string): Promise<Membership | "invited" | null> {
  const row = await db.get<{ id: string; status: string } | undefined>(sql`
    SELECT id, status FROM organization_memberships WHERE organization_id = ${organizationId} AND role = 'owner' LIMIT 1`);
  if (!row) return null;
  return row.status === "pending" ? "invited" : findMembership(db, { membershipId: row.id, organizationId });
}

export async function findRemovableMember(
  db: Db,
  { userId }: Pick<Actor, "userId">,
  target: MembershipTarget,
): Promise<Membership | null> {
  const found = await findMembership(db, target);
  return found && found.role !== "owner" && found.userId !== userId ? found : null;
}

type Candidate = { id: string; name: string; email: string };

export const CANDIDATES_LISTED = 100;

export const listCandidates = (db: Db, organizationId: string): Promise<Candidate[]> =>
  db.all<Candidate>(sql`
    SELECT id, full_name AS name, email FROM (
      SELECT m.id, m.role, u.full_name, u.email, u.name_key
      FROM organization_memberships m INDEXED BY members_by_role_and_status CROSS JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND m.role IN ('admin', 'member') AND m.status = 'active'
        AND u.status = 'active' ORDER BY m.role, m.number LIMIT ${CANDIDATES_LISTED})
    ORDER BY role, name_key`);
