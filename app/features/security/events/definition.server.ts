import { sql } from "drizzle-orm";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { formatInstant } from "~/ui/text";
import { ACTION_LABELS, FAILURE_LABELS, labelOf, METHOD_LABELS, RESULT_LABELS } from "../labels";
import { EVENT_COLUMNS, eventView, type StoredMfaEvent } from "../queries.server";
import { type EventFilter, eventList } from "./definition";

type EventCriteria = ListCriteria<EventFilter["sort"]> & Pick<EventFilter, "action" | "method" | "result">;

const RESULT_TOKENS = { success: "r.yes", failed: "r.no" } as const;

const PERSON_TEXT = "coalesce((SELECT u.search_text FROM users u WHERE u.id = t.user_id), '')";

/** Limits how many people are looked up before the events: there are rarely more of whom there are events. */
const PEOPLE_LIMIT = 500;

/**
 * Selects the ids of the people of the log who have a term, each between commas: a person is read once, not once for
 * each event. Null where there are more people than the limit. The index of the log by people is read from one person
 * to the next.
 */
const peopleWith = (search: string) => sql`(
  WITH RECURSIVE people(id) AS (
    SELECT min(user_id) FROM mfa_audit_log
    UNION ALL SELECT (SELECT min(e.user_id) FROM mfa_audit_log e WHERE e.user_id > people.id) FROM people
    WHERE people.id IS NOT NULL LIMIT ${PEOPLE_LIMIT + 2})
  SELECT iif(count(people.id) > ${PEOPLE_LIMIT}, NULL,
    coalesce(group_concat(',' || iif(instr(u.search_text, ${search}) > 0, u.id, NULL) || ',', ''), ''))
  FROM people LEFT JOIN users u ON u.id = people.id)`;

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
    foldedText: `(${PERSON_TEXT} || ' ' || coalesce(t.ip_address, ''))`,
    hasShort: (search) => sql`(instr(coalesce(t.ip_address, ''), ${search}) > 0
      OR coalesce(instr(${peopleWith(search)}, ',' || t.user_id || ','), instr(${sql.raw(PERSON_TEXT)}, ${search})) > 0)`,
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
      "Time (UTC)": (row: StoredMfaEvent) => new Date(row.at).toISOString(),
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
