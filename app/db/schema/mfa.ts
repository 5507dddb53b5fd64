import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

export const userMfaSettings = sqliteTable("user_mfa_settings", {
  user_id: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  is_enabled: integer("is_enabled").notNull().default(0),
  /** Holds the secret, encrypted and bound to this row: copied to another person's row it cannot be read. */
  totp_secret: text("totp_secret"),
  /** Holds the newest 30-second step that was accepted. A code of this step or an older one is a replay. */
  last_totp_step: integer("last_totp_step").notNull().default(0),
  preferred_method: text("preferred_method").notNull().default("totp"),
  /** Is 1 from the creation of backup codes until the person has confirmed that they saved them. */
  codes_unsaved: integer("codes_unsaved").notNull().default(0),
  /** Is 1 after somebody else removed the factor: only a link sent to the person's address can set up a new one. */
  setup_needs_link: integer("setup_needs_link").notNull().default(0),
  updated_at: integer("updated_at").notNull(),
});

/** Holds secrets that were shown to a person and are not confirmed yet. The newest one counts, for ten minutes. */
export const mfaEnrollments = sqliteTable(
  "mfa_enrollments",
  {
    user_id: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Holds the secret, encrypted and bound to the person. */
    secret_enc: text("secret_enc").notNull(),
    expires_at: integer("expires_at").notNull(),
  },
  (table) => [index("enrollments_by_expiry").on(table.expires_at)],
);

/** Holds one row per code, stored as a keyed slow hash. A set is created and replaced as a whole. */
export const mfaBackupCodes = sqliteTable(
  "mfa_backup_codes",
  {
    id: text("id").primaryKey(),
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    set_id: text("set_id").notNull(),
    /**
     * Holds the salt, the same for all codes of a set, so that one slow hash of the typed code is compared with all of
     * them.
     */
    salt: text("salt").notNull(),
    code_hash: text("code_hash").notNull(),
    used_at: integer("used_at"),
    created_at: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("one_backup_code").on(table.user_id, table.code_hash)],
);

/** Holds security events of second factors. Triggers reject updates, and deletions before the retention period ends. */
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
  (table) => [
    index("mfa_audit_by_user").on(table.user_id, table.id),
    index("mfa_audit_by_time").on(table.created_at, table.id),
    index("failed_mfa_events").on(table.created_at, table.id, table.user_id).where(sql`success = 0`),
  ],
);
