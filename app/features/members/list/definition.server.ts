import { defineRows } from "~/lists/define-rows.server";
import { MEMBER_ROWS, ofOwnOrganization } from "../member-rows.server";
import { memberList } from "./definition";

/**
 * Defines the rows of the list of all memberships, the database part. Address, filters and orders are in
 * `definition.ts`; table, indexes and search in `member-rows.server.ts`.
 */
export const memberRows = defineRows({
  ...MEMBER_ROWS,
  list: memberList,
  visibleTo: { any: () => ({}), organization: ofOwnOrganization },
});
