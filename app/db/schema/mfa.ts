import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

export const userMfaSettings = sqliteTable("user_mfa_settings", {
  user_id: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  is_enabled: integer("is_enabled").notNull().default(0),
  /** Sealed and bound to this row: moving it to another person makes it unreadable. */
  totp_secret: text("totp_secret"),
  /** The newest 30-second step that was accepted. A code of this step or an older one is a replay. */
  last_totp_step: integer("last_totp_step").notNull().default(0),
  preferred_method: text("preferred_method").notNull().default("totp"),
  updated_at: integer("updated_at").notNull(),
});

/** Append-only: triggers refuse changes, and deletions before the end of the retention period. */
export const mfaAuditLog = sqliteTable(
  "mfa_audit_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    user_id: text("user_id").notNull(),
    action: text("action").notNull(),
    method: text("method").notNull(),
    success: integer("success").notNull(),
    failure_reason: text("failure_reason"),
    ip_address: text("ip_address"),
    request_id: text("request_id"),
    created_at: integer("created_at").notNull(),
  },
  (table) => [index("mfa_audit_by_user").on(table.user_id, table.id)],
);
