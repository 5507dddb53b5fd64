import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** No rows: an insert always fails, which makes a D1 batch conditional. See `db/client.server.ts`. */
export const batchGuards = sqliteTable("batch_guards", { holds: integer("holds").notNull() }, (table) => [
  check("must_hold", sql`${table.holds} = 1`),
]);

/** One row per accepted form: a repeated post finds its first result here. Kept 48 hours. */
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

/** The last number given to tickets, submissions and quotes, and how far jobs are that do their work in parts. */
export const counters = sqliteTable("counters", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/**
 * Deleted subjects whose files and queued mails are still there. The job `erase-deleted` takes them away and then the
 * row, so that an interrupted run goes on where it stopped.
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

/** Counts that pages show on every load. Triggers maintain them, so that no page counts rows. */
export const totals = sqliteTable("totals", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

export type JobState = {
  start: number | null;
  duration: number | null;
  ok: number | null;
  error: string | null;
  failures: number;
  due: number;
};

/**
 * A row for each group of jobs that run in one invocation: what is known of all of them is one value, so that a minute
 * without work costs one row, or none.
 */
export const jobGroups = sqliteTable("job_groups", {
  name: text("name").primaryKey(),
  /** Grows with each write. A run that does not find the version it knows has another one beside it, and stops. */
  version: integer("version").notNull(),
  lease_until: integer("lease_until"),
  /** The job that has the lease. It is still here when its run was cut off. */
  running: text("running"),
  ran_at: integer("ran_at"),
  jobs: text("jobs", { mode: "json" }).$type<Record<string, JobState>>().notNull(),
});
