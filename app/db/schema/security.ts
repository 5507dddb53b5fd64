import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofUser, userKey, users } from "./accounts";

/**
 * What looks like an attack, until an administrator has seen it. A job raises alerts from the MFA events and the
 * blocked sign-ins of the last hour: at most one that is open per kind and subject.
 */
export const securityAlerts = sqliteTable(
  "security_alerts",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["failed_mfa", "suspicious_activity", "account_lockout"] }).notNull(),
    /** The person of a second factor, or the type and the identifier of a limit, with a space between them. */
    subject: text("subject").notNull(),
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    severity: text("severity", { enum: ["medium", "high"] }).notNull(),
    attempts: integer("attempts").notNull(),
    opened_at: integer("opened_at").notNull(),
    last_at: integer("last_at").notNull(),
    /** When it was acknowledged, or was over by itself. */
    closed_at: integer("closed_at"),
    /** The id of who acknowledged it; NULL for an alert that is open, or that was over by itself. */
    acknowledged_by: text("acknowledged_by"),
    acknowledged_name: text("acknowledged_name"),
    note: text("note"),
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

export const userMfaSettings = sqliteTable("user_mfa_settings", {
  user_id: userKey(),
  is_enabled: integer("is_enabled").notNull().default(0),
  /** The secret, encrypted and bound to this row: copied to another person's row it cannot be read. */
  totp_secret: text("totp_secret"),
  /** The newest 30-second step that was accepted. A code of this step or an older one is a replay. */
  last_totp_step: integer("last_totp_step").notNull().default(0),
  preferred_method: text("preferred_method").notNull().default("totp"),
  /** Is 1 from the creation of backup codes until the person has confirmed that they saved them. */
  codes_unsaved: integer("codes_unsaved").notNull().default(0),
  /** Is 1 after somebody else removed the factor: only a link sent to the person's address can set up a new one. */
  setup_needs_link: integer("setup_needs_link").notNull().default(0),
  updated_at: integer("updated_at").notNull(),
});

/** Secrets that were shown to a person and are not confirmed yet. The newest one counts, for ten minutes. */
export const mfaEnrollments = sqliteTable(
  "mfa_enrollments",
  {
    user_id: userKey(),
    secret_enc: text("secret_enc").notNull(),
    expires_at: integer("expires_at").notNull(),
  },
  (table) => [index("enrollments_by_expiry").on(table.expires_at)],
);

/** One row per code, stored as a keyed slow hash. A set is created and replaced as a whole. */
export const mfaBackupCodes = sqliteTable(
  "mfa_backup_codes",
  {
    id: text("id").primaryKey(),
    ...ofUser(),
    set_id: text("set_id").notNull(),
    /**
     * The salt, the same for all codes of a set, so that one slow hash of the typed code is compared with all of them.
     */
    salt: text("salt").notNull(),
    code_hash: text("code_hash").notNull(),
    used_at: integer("used_at"),
    created_at: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("one_backup_code").on(table.user_id, table.code_hash)],
);

/** Security events of second factors. Triggers reject updates, and deletions before the retention period ends. */
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
