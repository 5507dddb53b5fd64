import { and, eq, sql } from "drizzle-orm";
import { isStaffRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import { archives } from "~/db/schema/archives";
import { ARCHIVE_PATH } from "~/features/organization-settings/model";
import { type Archive, EVERYTHING } from "./model";
import { staffArchivePath } from "./paths";

type Asked = { userId: string; organizationId: string };

/** Only who asked for an archive sees it. */
export async function listArchives(db: Db, { userId, organizationId }: Asked): Promise<Archive[]> {
  const { requested_by, organization_id, state } = archives;
  const rows = await db
    .select()
    .from(archives)
    .where(and(eq(requested_by, userId), eq(organization_id, organizationId), sql`${state} <> 'ended'`))
    .orderBy(archives.for_staff);
  return rows.map((row) => ({
    id: row.id,
    isInternal: row.for_staff,
    state: row.state,
    requestedAt: row.requested_at,
    part: Math.floor((100 * row.done) / Math.max(row.total, 1)),
    size: row.size,
    expiresAt: row.expires_at,
  }));
}

/** To whom an archive is announced, of which organization, and on which page it is. Null: of everything. */
export type Asker = { email: string; organization: string | null; path: string };

export async function findAsker(db: Db, archive: { requested_by: string; organization_id: string }): Promise<Asker> {
  const [found] = await db.all<{
    email: string;
    role: "admin" | "moderator" | "user";
    organization: string | null;
  }>(sql`
    SELECT u.email, coalesce(r.role, 'user') AS role,
      (SELECT name FROM organizations WHERE id = ${archive.organization_id}) AS organization
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id WHERE u.id = ${archive.requested_by}`);
  const isOfStaff = archive.organization_id === EVERYTHING || (found && isStaffRole(found.role));
  return {
    email: found?.email ?? "",
    organization: found?.organization ?? null,
    path: isOfStaff ? staffArchivePath(archive.organization_id) : ARCHIVE_PATH,
  };
}
