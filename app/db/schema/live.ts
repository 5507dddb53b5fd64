import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIVE_EVENT_TYPES } from "~/lib/subject";
import { ofUser, userKey } from "./accounts";

/** Events for open pages. Inserted in the batch of the change, so the order of `seq` is the order of commits. */
export const liveEvents = sqliteTable(
  "live_events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    /** Who may hear of the event: `staff` or `org:<organization id>`. */
    audience: text("audience").notNull(),
    type: text("type", { enum: LIVE_EVENT_TYPES }).notNull(),
    subject_type: text("subject_type").notNull().default(""),
    /** The id of the subject; empty when the event is about several. */
    subject_id: text("subject_id").notNull(),
    label: text("label").notNull(),
    /** The person who caused it: people are not notified of their own actions. */
    actor_id: text("actor_id"),
    at: integer("at").notNull(),
  },
  (table) => [
    index("live_events_by_audience").on(table.audience, table.seq),
    // The label names a person, so the event is deleted with its subject.
    index("live_events_by_subject").on(table.subject_type, table.subject_id),
  ],
);

/** "Dismiss all": everything up to and including this number is hidden from the person's panel. */
export const liveReaders = sqliteTable("live_readers", {
  user_id: userKey(),
  dismissed_through: integer("dismissed_through").notNull(),
});

export const liveDismissals = sqliteTable(
  "live_dismissals",
  {
    ...ofUser(),
    seq: integer("seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.seq] })],
);
