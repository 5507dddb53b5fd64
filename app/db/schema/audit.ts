import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Who did what, written in the batch of the change itself. Append-only by triggers. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: integer("at").notNull(),
    actor_id: text("actor_id"),
    actor_role: text("actor_role").notNull(),
    on_behalf_of: text("on_behalf_of"),
    action: text("action").notNull(),
    object_type: text("object_type").notNull(),
    object_id: text("object_id"),
    org_id: text("org_id"),
    ip: text("ip"),
    request_id: text("request_id"),
    meta_json: text("meta_json"),
    /** What the activity screen files the event under. Computed, so that no writer can forget it. */
    activity_type: text("activity_type").generatedAlwaysAs(
      sql`case when action = 'submission.status_changed' then 'status_change' when object_type in ('session', 'mfa', 'security') then 'security' else object_type end`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    index("audit_by_object").on(table.object_type, table.object_id, table.id),
    index("audit_by_actor").on(table.actor_id, table.id),
    index("audit_by_type").on(table.activity_type, table.id),
    index("audit_by_time").on(table.at),
  ],
);
