import { defineRows } from "~/lists/define-rows.server";
import { searchByNumber } from "~/lists/row-source.server";
import { FILE_CELLS, FILE_COLUMNS, LOOKUPS, ROW_COLUMNS, viewOf } from "./columns.server";
import { bounds, clauses, criteriaOf, maintainedCount } from "./criteria.server";
import { ticketList } from "./definition";

/**
 * Defines the rows of the list of tickets for staff, the database part: table, indexes, search. Address, filters and
 * orders are in `definition.ts`, conditions in `criteria.server.ts`, what is read for a row and for the file in
 * `columns.server.ts`.
 */
export const ticketRows = defineRows({
  list: ticketList,
  table: "support_tickets",
  visibleTo: {
    any: () => ({}),
    // Staff alone open this list. Who is none and holds its ability would see what they may see in any case.
    organization: ({ userId, membership }): { organizationId?: string; viewerId?: string } => ({
      organizationId: membership?.organizationId,
      viewerId: userId,
    }),
  },
  criteriaOf,
  clauses,
  maintainedCount,
  bounds,
  orders: {
    created: {
      columns: { number: "number" },
      indexes: {
        support_tickets_number_unique: [],
        active_tickets_in_order: ["active"],
        organization_tickets: ["organization"],
      },
    },
    due: {
      columns: { due_rank: "number", number: "number" },
      indexes: {
        active_tickets_by_due: ["active"],
        active_tickets_of_organization: ["active", "organization"],
        active_tickets_of_assignee: ["active", "assignee"],
      },
    },
  },
  // `searchMatches` in lists/search-query.server.ts builds the SQL of the search.
  search: searchByNumber("ticket_search", { rowIdIndex: "support_tickets_number_unique", order: "created" }),
  limits: { scan: 40 },
  lookups: LOOKUPS,
  columns: ROW_COLUMNS,
  view: viewOf,
  csv: { columns: FILE_COLUMNS, cells: FILE_CELLS },
});
