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
  TEAM_COLUMNS,
} from "../member-rows.server";
import { teamList } from "./definition";

/**
 * Defines the rows of the list of an organization's members, the database part. Whoever opens it sees the organization
 * they work in, and no other.
 */
export const teamRows = defineRows({
  ...MEMBER_SOURCE,
  list: teamList,
  visibleTo: { any: ofOwnOrganization, organization: ofOwnOrganization },
  criteriaOf: memberCriteria,
  clauses: memberClauses,
  maintainedCount: maintainedMemberCount,
  maintainsLimitedCounts: true,
  columns: TEAM_COLUMNS,
  view: listedMember,
  csv: { columns: MEMBER_COLUMNS, cells: MEMBER_CELLS },
});
