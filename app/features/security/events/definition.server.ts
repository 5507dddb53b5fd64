import { sql } from "drizzle-orm";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { formatInstant } from "~/ui/time";
import { ACTION_LABELS, FAILURE_LABELS, labelOf, METHOD_LABELS, RESULT_LABELS } from "../labels";
import { EVENT_COLUMNS, eventView, type StoredEvent } from "../queries.server";
import { type EventFilter, eventList } from "./definition";

type EventCriteria = ListCriteria<EventFilter["sort"]> & Pick<EventFilter, "action" | "method" | "result">;

const RESULT_TOKENS = { success: "r.yes", failed: "r.no" } as const;

export const eventRows = defineRows({
  list: eventList,
  table: "mfa_audit_log",
  joins: "LEFT JOIN users u ON u.id = t.user_id",
  visibleTo: { any: () => ({}) },
  criteriaOf: (filter, viewer): EventCriteria => ({
    ...commonCriteria(filter, viewer),
    action: filter.action,
    method: filter.method,
    result: filter.result,
  }),
  clauses: ({ action, method, result }) => [
    ...(action ? [{ key: "action", where: sql`t.action = ${action}`, token: { has: `a.${action}` } }] : []),
    ...(method ? [{ key: "method", where: sql`t.method = ${method}`, token: { has: `m.${method}` } }] : []),
    ...(result
      ? [
          {
            key: result,
            where: result === "failed" ? sql`t.success = 0` : sql`t.success = 1`,
            token: { has: RESULT_TOKENS[result] },
          },
        ]
      : []),
  ],
  bounds: ({ from, until }) => ({ column: "created_at", from, until }),
  orders: {
    happened: {
      columns: { created_at: "number", id: "number" },
      indexes: { mfa_audit_by_time: [], failed_mfa_events: ["failed"] },
    },
  },
  search: {
    table: "mfa_event_search",
    textColumn: "search_text",
    tokenColumn: "search_state",
    // As the view `searchable_mfa_events`: the log itself names nobody.
    foldedText:
      "(coalesce((SELECT u.search_text FROM users u WHERE u.id = t.user_id), '') || ' ' || coalesce(t.ip_address, ''))",
    rowIdColumn: "id",
    rowIdIndex: "rowid",
    order: "happened",
  },
  limits: { scan: 80 },
  columns: EVENT_COLUMNS,
  view: eventView,
  csv: {
    columns: EVENT_COLUMNS,
    cells: {
      "Time (UTC)": (row: StoredEvent) => new Date(row.at).toISOString(),
      "Time (site time)": (row, zone) => formatInstant(row.at, zone, "datetime"),
      Result: (row) => RESULT_LABELS[row.success === 1 ? "success" : "failed"],
      Action: (row) => labelOf(ACTION_LABELS, row.action),
      Method: (row) => labelOf(METHOD_LABELS, row.method),
      Name: (row) => row.name,
      Email: (row) => row.email,
      "User id": (row) => row.userId,
      "Failure reason": (row) => row.failure && labelOf(FAILURE_LABELS, row.failure),
      "IP address": (row) => row.ip,
    },
  },
});
