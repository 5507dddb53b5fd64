import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";

/** The ledger that decides whether a session lives. The payload in KV decides nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the id in the cookie, base64url. */
    id_hash: text("id_hash").primaryKey(),
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Copy of `users.auth_epoch` at sign-in; a session of an older epoch is over. */
    epoch: integer("epoch").notNull(),
    /** 1 = password, 2 = password and second factor. */
    aal: integer("aal").notNull(),
    current_org_id: text("current_org_id"),
    created_at: integer("created_at").notNull(),
    last_seen_at: integer("last_seen_at").notNull(),
    idle_expires_at: integer("idle_expires_at").notNull(),
    abs_expires_at: integer("abs_expires_at").notNull(),
    reauth_at: integer("reauth_at").notNull(),
    ua_label: text("ua_label").notNull(),
    ip_prefix: text("ip_prefix").notNull(),
    revoked_at: integer("revoked_at"),
    revoke_reason: text("revoke_reason"),
  },
  (table) => [
    index("sessions_by_user").on(table.user_id, table.created_at),
    index("sessions_by_expiry").on(table.abs_expires_at),
  ],
);

/** Between the right password and the second factor there is a challenge, and no session. */
export const authChallenges = sqliteTable(
  "auth_challenges",
  {
    id_hash: text("id_hash").primaryKey(),
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["verify", "setup"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    max_attempts: integer("max_attempts").notNull(),
    epoch: integer("epoch").notNull(),
    redirect_to: text("redirect_to"),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    consumed_at: integer("consumed_at"),
  },
  (table) => [index("challenges_by_expiry").on(table.expires_at)],
);

/** Links in mails. Each opens one purpose, for one person and the address it was sent to, once. */
export const authTokens = sqliteTable(
  "auth_tokens",
  {
    /** SHA-256 of what the link carries, base64url. */
    id_hash: text("id_hash").primaryKey(),
    purpose: text("purpose", {
      enum: ["verify_email", "reset", "email_change", "email_undo", "not_me", "mfa_setup"],
    }).notNull(),
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The address that the link proves or restores, normalized. */
    email: text("email").notNull(),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    /** When it was used, or overtaken by something that made it void. */
    consumed_at: integer("consumed_at"),
  },
  (table) => [
    index("tokens_by_user").on(table.user_id, table.purpose, table.created_at),
    index("tokens_by_expiry").on(table.expires_at),
  ],
);

/** What somebody typed into a form whose post met a session that had ended. At most one per person, for half an hour. */
export const heldForms = sqliteTable(
  "held_forms",
  {
    user_id: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of what the browser's cookie holds: the text returns to the browser it was typed in. */
    id_hash: text("id_hash").notNull(),
    /** Address and fields, sealed and bound to the person. */
    form_enc: text("form_enc").notNull(),
    expires_at: integer("expires_at").notNull(),
  },
  (table) => [index("held_forms_by_expiry").on(table.expires_at)],
);

export const rateLimitAttempts = sqliteTable(
  "rate_limit_attempts",
  {
    attempt_type: text("attempt_type").notNull(),
    identifier: text("identifier").notNull(),
    attempts: integer("attempts").notNull(),
    blocked_until: integer("blocked_until"),
    last_attempt_at: integer("last_attempt_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.attempt_type, table.identifier] }),
    index("attempts_by_time").on(table.last_attempt_at),
  ],
);
