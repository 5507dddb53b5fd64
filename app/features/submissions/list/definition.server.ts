import { defineRows } from "~/lists/define-rows.server";
import { FIRST_RESPONSE } from "../queries.server";
import { FILE_CELLS, FILE_COLUMNS, ROW_COLUMNS, viewOf } from "./columns.server";
import { clauses, criteriaOf, maintainedCount } from "./criteria.server";
import { submissionList } from "./definition";
import { SUBMISSION_SEARCH } from "./search.server";

/**
 * Defines the rows of the list of submissions, the database part: table and indexes. Address, filters and orders are in
 * `definition.ts`, conditions in `criteria.server.ts`, the search in `search.server.ts`, what is read for a row and for
 * the file in `columns.server.ts`. The SQL of a page is built from it by `lists/range-sql.server.ts`.
 */
export const submissionRows = defineRows({
  list: submissionList,
  table: "contact_submissions",
  visibleTo: { any: () => ({}) },
  criteriaOf,
  clauses,
  maintainedCount,
  bounds: ({ from, until }) => ({ column: "created_at", from, until }),
  orders: {
    submitted: {
      columns: { created_at: "number", id: "text" },
      indexes: {
        submissions_newest: ["counted"],
        submissions_by_status: ["counted", "status"],
        // First of those that answer as much: few are to be followed up.
        submissions_to_follow_up: ["counted", "to_follow_up"],
        submissions_by_owner: ["counted", "owner"],
        submissions_without_owner: ["counted", "no_owner"],
        submissions_held: ["held"],
      },
    },
    name: { columns: { name_key: "text", id: "text" }, indexes: { submissions_by_name: ["counted"] } },
    status: {
      columns: { status_rank: "number", created_at: "number", id: "text" },
      indexes: { submissions_by_status: ["counted"] },
    },
  },
  search: SUBMISSION_SEARCH,
  lookups: { owner: "(SELECT u.full_name FROM users u WHERE u.id = t.owner_id)", answeredAt: FIRST_RESPONSE },
  columns: ROW_COLUMNS,
  view: viewOf,
  csv: { columns: FILE_COLUMNS, cells: FILE_CELLS },
});
