import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIVE_EVENT_TYPES } from "../../lib/live-event-types";
import { users } from "./accounts";

/** What happened, for screens that are open. Inserted in the batch of the change: order of `seq` is order of commit. */
export const liveEvents = sqliteTable(
  "live_events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    /** `staff` or `org:<organization id>`. */
    audience: text("audience").notNull(),
    type: text("type", { enum: LIVE_EVENT_TYPES }).notNull(),
    subject_type: text("subject_type").notNull().default(""),
    /** Empty where one event tells of many. */
    subject_id: text("subject_id").notNull(),
    label: text("label").notNull(),
    /** Who caused it; people are not told about their own actions. */
    actor_id: text("actor_id"),
    at: integer("at").notNull(),
  },
  (table) => [
    index("live_events_by_audience").on(table.audience, table.seq),
    // An event names a person: it goes when what it is about is deleted.
    index("live_events_by_subject").on(table.subject_type, table.subject_id),
  ],
);

/** "Dismiss all": everything up to and including this number is gone from the person's panel. */
export const liveReaders = sqliteTable("live_readers", {
  user_id: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  dismissed_through: integer("dismissed_through").notNull(),
});

/** Single entries a person has dismissed. */
export const liveDismissals = sqliteTable(
  "live_dismissals",
  {
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    seq: integer("seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.seq] })],
);
