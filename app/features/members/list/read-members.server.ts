import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { countMemberships, type MemberCounts } from "../member-rows.server";
import type { ListedMember } from "../model";
import type { MemberFilter } from "./definition";
import { memberRows } from "./definition.server";

/** Describes a row of the list for staff, with the pages of the person and of the organization that they may open. */
export type LinkedMember = ListedMember & { personPath: string | null; organizationPath: string | null };

/** Holds what the page of all memberships shows. */
export type MembersRead = ListRead<LinkedMember> & { counts: MemberCounts };

/** Reads everything the page shows, in one round trip. */
export async function readMembers(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<MemberFilter>,
): Promise<MembersRead> {
  const [counts, read] = await Promise.all([countMemberships(db), memberRows.read(db, request)]);
  const rows = read.page.rows.map((row) => ({
    ...row,
    personPath: row.userId && staffPathOf(subjects, request.viewer.actor, { type: "user", id: row.userId }),
    organizationPath: staffPathOf(subjects, request.viewer.actor, { type: "organization", id: row.organizationId }),
  }));
  return { ...read, page: { ...read.page, rows }, counts };
}
