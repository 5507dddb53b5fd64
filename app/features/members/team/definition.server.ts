import { defineRows } from "~/lists/define-rows.server";
import { MEMBER_ROWS, ofOwnOrganization, TEAM_COLUMNS } from "../member-rows.server";
import { teamList } from "./definition";

/**
 * Defines the rows of the list of an organization's members, the database part. Whoever opens it sees the organization
 * they work in, and no other.
 */
export const teamRows = defineRows({
  ...MEMBER_ROWS,
  list: teamList,
  visibleTo: { any: ofOwnOrganization, organization: ofOwnOrganization },
  columns: TEAM_COLUMNS,
});
