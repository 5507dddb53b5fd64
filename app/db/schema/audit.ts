import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Who did what to which subject, written in the batch of the change itself. Append-only by triggers, with two
 * exceptions: the name of a deleted subject is cleared, in `subject_label` and in the first line of `search_text`, and
 * the words behind that line follow those of the screen.
 */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: integer("at").notNull(),
    actor_id: text("actor_id"),
    actor_role: text("actor_role").notNull(),
    actor_name: text("actor_name"),
    actor_email: text("actor_email"),
    on_behalf_of: text("on_behalf_of"),
    action: text("action").notNull(),
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id"),
    /** The name of the subject at the time; NULL for one without a name, or after it was deleted. */
    subject_label: text("subject_label"),
    org_id: text("org_id"),
    ip: text("ip"),
    request_id: text("request_id"),
    meta_json: text("meta_json"),
    /** The searchable text, folded, in three lines: subject, who did what, details. See `auditSearchText`. */
    search_text: text("search_text").notNull().default(""),
    /** The type of the event in the activity list. Computed, so that no writer can forget it. */
    activity_type: text("activity_type").generatedAlwaysAs(
      sql`CASE WHEN action = 'submission.status_changed' THEN 'status_change' WHEN substr(action, 1, instr(action, '.')) in ('session.', 'mfa.', 'security.') THEN 'security' ELSE substr(action, 1, instr(action, '.') - 1) END`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    index("audit_by_subject").on(table.subject_type, table.subject_id, table.id),
    index("audit_by_actor").on(table.actor_id, table.id),
    index("audit_by_type").on(table.activity_type, table.id),
    index("audit_by_time").on(table.at),
    // What members may read of their organization.
    index("audit_by_organization").on(table.org_id, table.id).where(sql`org_id is not null`),
    index("audit_without_security").on(table.id).where(sql`activity_type <> 'security'`),
  ],
);

/**
 * Chains the audit: the seal of each event is computed from the event and the seal before it. Written in the order of
 * the ids after the events were committed, because the database cannot hash; see docs/decisions/0020.
 */
export const auditSeals = sqliteTable("audit_seals", {
  event_id: integer("event_id").primaryKey(),
  prev_hash: text("prev_hash").notNull(),
  hash: text("hash").notNull(),
});

/**
 * Counts failed sign-ins per account, network and hour. The first one of an hour is an audit event at once; how many
 * followed is a second one when the hour is over, and then the row is deleted.
 */
export const refusedSignIns = sqliteTable(
  "refused_sign_ins",
  {
    /** The id of the account; empty for addresses without one. */
    account_id: text("account_id").notNull(),
    network: text("network").notNull(),
    hour: integer("hour").notNull(),
    reason: text("reason").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account_id, table.network, table.hour, table.reason] }),
    index("refused_by_hour").on(table.hour),
  ],
);
