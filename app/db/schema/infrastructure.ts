import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A table that can hold no row: the way to make a D1 batch conditional. See `db/client.server.ts`. */
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

/** Numbers people quote (tickets, submissions, quotes): the last one given. */
export const counters = sqliteTable("counters", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** Counts shown on every load, kept true by triggers so that no page ever counts rows. */
export const totals = sqliteTable("totals", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** The state of each scheduled job. */
export const jobs = sqliteTable("jobs", {
  name: text("name").primaryKey(),
  lease_until: integer("lease_until"),
  last_start: integer("last_start"),
  last_ok: integer("last_ok"),
  last_duration: integer("last_duration"),
  last_error: text("last_error"),
  next_due: integer("next_due").notNull(),
});
