import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ofUser } from "./accounts";

/** Decides whether a session is valid. The label of its browser is in KV, which decides nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    /** The SHA-256 of the id in the cookie, base64url. */
    id_hash: text("id_hash").primaryKey(),
    ...ofUser(),
    /** A copy of `users.auth_epoch` at sign-in; a session of an older epoch is not valid. */
    epoch: integer("epoch").notNull(),
    /** How the person signed in: 1 with a password only, 2 with password and second factor. */
    aal: integer("aal").notNull(),
    current_org_id: text("current_org_id"),
    created_at: integer("created_at").notNull(),
    last_seen_at: integer("last_seen_at").notNull(),
    idle_expires_at: integer("idle_expires_at").notNull(),
    abs_expires_at: integer("abs_expires_at").notNull(),
    reauth_at: integer("reauth_at").notNull(),
    ip_prefix: text("ip_prefix").notNull(),
    revoked_at: integer("revoked_at"),
    revoke_reason: text("revoke_reason"),
  },
  (table) => [
    index("sessions_by_user").on(table.user_id, table.created_at),
    index("sessions_by_expiry").on(table.abs_expires_at),
    index("sessions_by_use").on(table.last_seen_at).where(sql`revoked_at is null`),
  ],
);

/** Sign-ins between the correct password and the second factor, when there is no session yet. */
export const authChallenges = sqliteTable(
  "auth_challenges",
  {
    id_hash: text("id_hash").primaryKey(),
    ...ofUser(),
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

/** The tokens of links in mails. Each is for one purpose, one person and one address, and is used once. */
export const authTokens = sqliteTable(
  "auth_tokens",
  {
    /** The SHA-256 of the token in the link, base64url. */
    id_hash: text("id_hash").primaryKey(),
    purpose: text("purpose", {
      enum: ["verify_email", "reset", "email_change", "email_undo", "not_me", "mfa_setup"],
    }).notNull(),
    ...ofUser(),
    email: text("email").notNull(),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    consumed_at: integer("consumed_at"),
  },
  (table) => [
    index("tokens_by_user").on(table.user_id, table.purpose, table.created_at),
    index("tokens_by_expiry").on(table.expires_at),
    index("reserved_addresses").on(table.email).where(sql`purpose = 'email_undo' and consumed_at is null`),
  ],
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
    index("blocked_attempts").on(table.blocked_until).where(sql`blocked_until is not null`),
  ],
);
