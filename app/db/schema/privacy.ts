import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * What must not be deleted for now, and why: submissions, tickets, organizations, people. Triggers keep what is held. A
 * hold that was lifted stays until its subject goes.
 */
export const legalHolds = sqliteTable(
  "legal_holds",
  {
    id: text("id").primaryKey(),
    subject_type: text("subject_type", { enum: ["submission", "ticket", "organization", "user"] }).notNull(),
    subject_id: text("subject_id").notNull(),
    reason: text("reason").notNull(),
    placed_by_name: text("placed_by_name").notNull(),
    placed_at: integer("placed_at").notNull(),
    lifted_at: integer("lifted_at"),
    lifted_by_name: text("lifted_by_name"),
  },
  (table) => [
    uniqueIndex("holds_in_force").on(table.subject_type, table.subject_id).where(sql`lifted_at is null`),
    index("holds_of_subject").on(table.subject_type, table.subject_id),
    index("holds_newest").on(table.placed_at),
  ],
);

/** What the nightly deletion of old submissions has done, one row per day in UTC. */
export const retentionRuns = sqliteTable("retention_runs", {
  day: text("day").primaryKey(),
  started_at: integer("started_at").notNull(),
  retention_days: integer("retention_days").notNull(),
  submissions: integer("submissions").notNull().default(0),
  files: integer("files").notNull().default(0),
  notes: integer("notes").notNull().default(0),
  on_hold: integer("on_hold").notNull().default(0),
});

/**
 * What administrators have asked to be purged: submissions that were resolved or held for review, and quiet since a
 * time. The job `purge-submissions` does it a part at a time, and goes on with what is not finished.
 */
export const purges = sqliteTable(
  "purges",
  {
    id: text("id").primaryKey(),
    quiet_since: integer("quiet_since").notNull(),
    requested_at: integer("requested_at").notNull(),
    submissions: integer("submissions").notNull().default(0),
    files: integer("files").notNull().default(0),
    notes: integer("notes").notNull().default(0),
    on_hold: integer("on_hold").notNull().default(0),
    finished_at: integer("finished_at"),
  },
  (table) => [
    index("purges_newest").on(table.requested_at),
    index("purges_to_do").on(table.requested_at).where(sql`finished_at is null`),
  ],
);

/**
 * People who are being erased: their access and their address are gone at once, the rest follows a part at a time. The
 * job `erase-people` deletes the row with the account when nothing is left, so that an interrupted run goes on where it
 * stopped.
 */
export const personErasures = sqliteTable("person_erasures", {
  user_id: text("user_id").primaryKey(),
  /** The name and the address until now, by which the rest is found. */
  name: text("name").notNull(),
  email: text("email").notNull().default(""),
  requested_at: integer("requested_at").notNull(),
  /** The place in the list of what remains, and the row id up to which it is done. */
  step: integer("step").notNull().default(0),
  done_through: integer("done_through").notNull().default(0),
});

/** The addresses of erased people, as keyed hashes: no import brings them back, and no event before it shows them. */
export const erasedAddresses = sqliteTable(
  "erased_addresses",
  {
    email_hash: text("email_hash").primaryKey(),
    erased_at: integer("erased_at").notNull(),
  },
  (table) => [index("erased_addresses_by_time").on(table.erased_at)],
);
