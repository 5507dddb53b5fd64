import { defineRows } from "~/lists/define-rows.server";
import {
  listedMember,
  MEMBER_CELLS,
  MEMBER_COLUMNS,
  MEMBER_SOURCE,
  maintainedMemberCount,
  memberClauses,
  memberCriteria,
  ofOwnOrganization,
} from "../member-rows.server";
import { memberList } from "./definition";

/**
 * Defines the rows of the list of all memberships, the database part. Address, filters and orders are in
 * `definition.ts`; table, indexes and search in `member-rows.server.ts`.
 */
export const memberRows = defineRows({
  ...MEMBER_SOURCE,
  list: memberList,
  visibleTo: { any: () => ({}), organization: ofOwnOrganization },
  criteriaOf: memberCriteria,
  clauses: memberClauses,
  maintainedCount: maintainedMemberCount,
  maintainsLimitedCounts: true,
  columns: MEMBER_COLUMNS,
  view: listedMember,
  csv: { columns: MEMBER_COLUMNS, cells: MEMBER_CELLS },
});
