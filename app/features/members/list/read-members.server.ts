import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import type { ListRead } from "~/lists/model";
import type { PageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { countMemberships, type MemberCounts } from "../member-rows.server";
import type { ListedMember } from "../model";
import type { MemberFilter } from "./definition";
import { memberRows } from "./definition.server";

/** Describes a row of the list for staff, with the pages of the person and of the organization that they may open. */
export type LinkedMember = ListedMember & { personPath: string | null; organizationPath: string | null };

/** Holds what the page of all memberships shows. */
export type MembersRead = ListRead<LinkedMember> & {
  counts: MemberCounts;
  /** Name of the organization the list is limited to. Null: it is not, or there is none. */
  organizationName: string | null;
};

/** Reads everything the page shows, in one round trip. */
export async function readMembers(
  { db, now, subjects }: Pick<Ctx, "db" | "now" | "subjects">,
  actor: Actor,
  { filter, page, zone }: { filter: MemberFilter; page: PageRequest; zone: string },
): Promise<MembersRead> {
  const [counts, organizationName, read] = await Promise.all([
    countMemberships(db),
    filter.organization ? findOrganizationName(db, filter.organization) : null,
    memberRows.read(db, { filter, page, viewer: { actor, zone, now: now() } }),
  ]);
  const rows = read.page.rows.map((row) => ({
    ...row,
    personPath: row.userId && staffPathOf(subjects, actor, { type: "user", id: row.userId }),
    organizationPath: staffPathOf(subjects, actor, { type: "organization", id: row.organizationId }),
  }));
  return { ...read, page: { ...read.page, rows }, counts, organizationName };
}

async function findOrganizationName(db: Db, id: string): Promise<string | null> {
  const row = await db.get<{ name: string } | undefined>(sql`SELECT name FROM organizations WHERE id = ${id}`);
  return row?.name ?? null;
}
