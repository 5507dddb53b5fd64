import { sql } from "drizzle-orm";
import { defineRows } from "~/lists/define-rows.server";
import type { Clause } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/time";
import { typeLabel } from "../copy";
import { countTotals, formerPeople, seesSecurityEvents } from "../queries.server";
import { actionLabel, actorNameOf, detailsText, type StoredActivity } from "./activity-entry";
import { activityList, criteriaOf } from "./definition";

/** Lists what is read of an event for a line of the feed. */
export const ACTIVITY_COLUMNS = `t.id, t.at, t.action, t.activity_type, t.actor_id, t.actor_name, t.actor_email, t.subject_type,
  t.subject_id, t.subject_label, t.meta_json, ${formerPeople("t")}`;

/** Repeats the condition of the partial index `audit_without_security`, which must be written as there. */
const WITHOUT_SECURITY: Clause = {
  key: "without_security",
  where: sql`t.activity_type <> 'security'`,
  token: { lacks: "sec" },
};

/**
 * Defines the rows of the activity list, the database part: table, conditions, indexes, search, CSV. Address, filters
 * and orders are in `definition.ts`.
 */
export const activityRows = defineRows({
  list: activityList,
  table: "audit_events",
  visibleTo: {
    any: (actor): { withoutSecurity?: true } => (seesSecurityEvents(actor) ? {} : { withoutSecurity: true }),
  },
  criteriaOf,
  clauses: ({ type, withoutSecurity }) => [
    ...(type ? [{ key: "type", where: sql`t.activity_type = ${type}`, token: { has: type.slice(0, 3) } }] : []),
    // Another type leaves security events out by itself.
    ...(withoutSecurity && (!type || type === "security") ? [WITHOUT_SECURITY] : []),
  ],
  maintainedCount: (db, { search, type, withoutSecurity = false }) =>
    search || type ? null : countTotals(db, { withSecurity: !withoutSecurity }).then(({ all }) => all),
  maintainsLimitedCounts: true,
  orders: {
    happened: {
      columns: { id: "number" },
      indexes: { rowid: [], audit_by_type: ["type"], audit_without_security: ["without_security"] },
    },
  },
  // `searchMatches` in lists/search-query.server.ts builds the SQL of the search.
  search: {
    table: "audit_search",
    textColumn: "search_text",
    tokenColumn: "type_word",
    foldedText: "t.search_text",
    rowIdColumn: "id",
    rowIdIndex: "rowid",
    order: "happened",
  },
  columns: ACTIVITY_COLUMNS,
  view: (row: StoredActivity) => row,
  csv: {
    columns: ACTIVITY_COLUMNS,
    cells: {
      "Time (UTC)": (row: StoredActivity) => new Date(row.at).toISOString(),
      "Time (site time)": (row, zone) => formatInstant(row.at, zone, "datetime"),
      Type: (row) => typeLabel(row.activity_type),
      Action: (row) => actionLabel(row),
      Details: (row) => detailsText(row),
      Person: (row) => actorNameOf(row),
      Email: (row) => (row.is_former ? null : row.actor_email),
    },
  },
});
