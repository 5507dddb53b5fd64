import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

/**
 * Holds what looks like an attack, until an administrator has seen it. A job raises alerts from the MFA events and the
 * blocked sign-ins of the last hour: at most one that is open per kind and subject.
 */
export const securityAlerts = sqliteTable(
  "security_alerts",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["failed_mfa", "suspicious_activity", "account_lockout"] }).notNull(),
    /** Names the person of a second factor, or the type and the identifier of a limit, with a space between them. */
    subject: text("subject").notNull(),
    /** Holds the id of the account; NULL where none is known, such as for a network. */
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    severity: text("severity", { enum: ["medium", "high"] }).notNull(),
    attempts: integer("attempts").notNull(),
    opened_at: integer("opened_at").notNull(),
    /** Holds the time of the newest attempt it was raised for. */
    last_at: integer("last_at").notNull(),
    /** Says when it was acknowledged, or was over by itself. */
    closed_at: integer("closed_at"),
    /** Holds the id of who acknowledged it; NULL for an alert that is open, or that was over by itself. */
    acknowledged_by: text("acknowledged_by"),
    acknowledged_name: text("acknowledged_name"),
    note: text("note"),
    /** Says when administrators were told by mail. */
    mailed_at: integer("mailed_at"),
  },
  (table) => [
    uniqueIndex("one_open_alert").on(table.kind, table.subject).where(sql`closed_at is null`),
    index("open_alerts").on(table.last_at, table.id).where(sql`closed_at is null`),
    index("acknowledged_alerts").on(table.closed_at).where(sql`acknowledged_by is not null`),
    index("closed_alerts").on(table.closed_at).where(sql`closed_at is not null`),
    index("alerts_by_subject").on(table.subject, table.last_at),
    index("alerts_by_person").on(table.user_id).where(sql`user_id is not null`),
    index("alerts_to_mail")
      .on(table.opened_at)
      .where(sql`severity = 'high' and mailed_at is null and closed_at is null`),
    index("mailed_alerts").on(table.mailed_at).where(sql`mailed_at is not null`),
  ],
);
