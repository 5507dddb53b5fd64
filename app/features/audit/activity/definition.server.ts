import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { defineRows, type ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Clause } from "~/lists/row-source.server";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import { formatInstant } from "~/ui/text";
import { typeLabel } from "../labels";
import { ACTIVITY_TYPES, type ActivityCounts, type ActivityType } from "../model";
import { countActivity, countTotals, formerPeople, seesSecurityEvents } from "../queries.server";
import {
  type ActivityEntry,
  actionLabel,
  activityEntry,
  actorNameOf,
  detailsText,
  type StoredActivity,
} from "./activity-entry";
import { type ActivityFilter, activityCriteriaOf, activityList } from "./definition";

export const ACTIVITY_COLUMNS = `t.id, t.at, t.action, t.activity_type, t.actor_id, t.actor_name, t.actor_email, t.subject_type,
  t.subject_id, t.subject_label, t.meta_json, ${formerPeople("t")}`;

/** As in the partial index `audit_without_security`: it must be written as there. */
const WITHOUT_SECURITY: Clause = {
  key: "without_security",
  where: sql`t.activity_type <> 'security'`,
  token: { lacks: "sec" },
};

export const activityRows = defineRows({
  list: activityList,
  table: "audit_events",
  visibleTo: {
    any: (actor): { withoutSecurity?: true } => (seesSecurityEvents(actor) ? {} : { withoutSecurity: true }),
  },
  criteriaOf: activityCriteriaOf,
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
  // `searchMatches` in lists/search-sql.server.ts builds the SQL of the search.
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

const SHOWN = 15;
const SCANNED = 40;

export async function readOrganizationHistory(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  actor: Actor,
  organizationId: string,
): Promise<ActivityEntry[]> {
  const visible = seesSecurityEvents(actor) ? sql`1` : sql`t.activity_type <> 'security'`;
  const rows = await db.all<StoredActivity>(sql`
    SELECT ${sql.raw(ACTIVITY_COLUMNS)} FROM (
      SELECT * FROM audit_events INDEXED BY audit_by_organization
      WHERE org_id = ${organizationId} ORDER BY id DESC LIMIT ${SCANNED}) t
    WHERE ${visible} LIMIT ${SHOWN}`);
  return rows.map((row) => activityEntry(row, (subject) => staffPathOf(subjects, actor, subject)));
}

/** Lines link only to pages that this person may open. */
export async function readActivity(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<ActivityFilter>,
): Promise<ListRead<ActivityEntry> & { counts: ActivityCounts }> {
  const { actor, now } = request.viewer;
  const [counts, read] = await Promise.all([
    countActivity(db, now, { withSecurity: seesSecurityEvents(actor) }),
    activityRows.read(db, request),
  ]);
  const rows = read.page.rows.map((row) => activityEntry(row, (subject) => staffPathOf(subjects, actor, subject)));
  return { ...read, page: { ...read.page, rows }, counts };
}

export const visibleTypes = (actor: Actor): ActivityType[] =>
  ACTIVITY_TYPES.filter((type) => type !== "security" || seesSecurityEvents(actor));
