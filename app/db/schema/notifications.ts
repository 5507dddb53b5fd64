import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofUser, userKey } from "./accounts";
import { organizations } from "./organizations";

export const notifications = sqliteTable(
  "notifications",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    ...ofUser(),
    organization_id: text("organization_id").references(() => organizations.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id").notNull(),
    /** One line for the list, without anything that the person may not read. */
    label: text("label").notNull(),
    at: integer("at").notNull(),
    read_at: integer("read_at"),
  },
  (table) => [
    index("notifications_of_person").on(table.user_id, table.organization_id, table.seq),
    index("unread_notifications").on(table.user_id, table.organization_id, table.seq).where(sql`read_at is null`),
    index("notifications_by_subject").on(table.subject_type, table.subject_id, table.user_id),
    index("notifications_by_time").on(table.at),
    index("notifications_by_organization").on(table.organization_id).where(sql`organization_id is not null`),
  ],
);

export const notificationPreferences = sqliteTable(
  "notification_preferences",
  {
    ...ofUser(),
    event: text("event").notNull(),
    by_mail: integer("by_mail", { mode: "boolean" }).notNull(),
    in_app: integer("in_app", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.event] })],
);

/** The hours in which people want no mail about what happens: in the site's time zone, also over midnight. */
export const quietHours = sqliteTable("quiet_hours", {
  user_id: userKey(),
  from_clock: text("from_clock").notNull(),
  until_clock: text("until_clock").notNull(),
});

export const mutedSubjects = sqliteTable(
  "muted_subjects",
  {
    ...ofUser(),
    subject_type: text("subject_type").notNull(),
    subject_id: text("subject_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subject_type, table.subject_id, table.user_id] }),
    index("muted_by_person").on(table.user_id),
  ],
);
