import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Holds no rows: an insert always fails, which makes a D1 batch conditional. See `db/client.server.ts`. */
export const batchGuards = sqliteTable("batch_guards", { holds: integer("holds").notNull() }, (table) => [
  check("must_hold", sql`${table.holds} = 1`),
]);

/** Holds one row per accepted form: a repeated post finds its first result here. Kept 48 hours. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    key: text("key").primaryKey(),
    scope: text("scope").notNull(),
    result_location: text("result_location").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [index("idempotency_by_time").on(table.created_at)],
);

/** Holds the last number given to tickets, submissions and quotes, and how far jobs are that do their work in parts. */
export const counters = sqliteTable("counters", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/**
 * Holds deleted subjects whose files and queued mails are still there. The job `erase-deleted` takes them away and then
 * the row, so that an interrupted run goes on where it stopped.
 */
export const erasures = sqliteTable(
  "erasures",
  {
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject_type, table.subject_id] })],
);

/** Holds counts that pages show on every load. Triggers maintain them, so that no page counts rows. */
export const totals = sqliteTable("totals", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** Holds the state of each scheduled job. */
export const jobs = sqliteTable("jobs", {
  name: text("name").primaryKey(),
  lease_until: integer("lease_until"),
  last_start: integer("last_start"),
  last_ok: integer("last_ok"),
  last_duration: integer("last_duration"),
  last_error: text("last_error"),
  next_due: integer("next_due").notNull(),
});
