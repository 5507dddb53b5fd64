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

export type JobState = {
  /** Holds when the last run began, and how long it took; null: none has. */
  start: number | null;
  duration: number | null;
  /** Holds when a run last succeeded; null: none has. */
  ok: number | null;
  /** Holds why the last run failed; null: it did not. */
  error: string | null;
  /** Counts how often it has failed since it last succeeded. */
  failures: number;
  /** Says from when on it is to run again. */
  due: number;
};

/**
 * Holds a row for each group of jobs that run in one invocation: what is known of all of them is one value, so that a
 * minute without work costs one row, or none.
 */
export const jobGroups = sqliteTable("job_groups", {
  name: text("name").primaryKey(),
  /** Grows with each write. A run that does not find the version it knows has another one beside it, and stops. */
  version: integer("version").notNull(),
  lease_until: integer("lease_until"),
  /** Names the job that has the lease. It is still here when its run was cut off. */
  running: text("running"),
  /** Says when a run last ended and was recorded. */
  ran_at: integer("ran_at"),
  jobs: text("jobs", { mode: "json" }).$type<Record<string, JobState>>().notNull(),
});
