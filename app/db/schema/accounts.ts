import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";

export const users = sqliteTable(
  "users",
  {
    ...recordColumns(),
    /** Trimmed, lower-cased, domain in ASCII: the identity of the account. */
    email: text("email").notNull().unique(),
    full_name: text("full_name").notNull(),
    /** `$scrypt-hmac$…`; NULL until an invited person has chosen one. */
    password_hash: text("password_hash"),
    status: text("status", { enum: ["unverified", "pending", "active", "deactivated"] }).notNull(),
    /** Incrementing it ends every session of the person at once. */
    auth_epoch: integer("auth_epoch").notNull().default(0),
    must_change_password: integer("must_change_password").notNull().default(0),
    /** Expiry of a password that somebody else has set; NULL for one its owner has chosen. */
    password_expires_at: integer("password_expires_at"),
    /** Wrong passwords since the last sign-in. At a hundred only a password reset unlocks the account. */
    password_failures: integer("password_failures").notNull().default(0),
    /** New e-mail address, until the person has confirmed that it is theirs. */
    pending_email: text("pending_email"),
  },
  (table) => [
    check("known_status", sql`${table.status} in ('unverified', 'pending', 'active', 'deactivated')`),
    index("unconfirmed_accounts").on(table.updated_at).where(sql`status = 'unverified'`),
  ],
);

/** Holds one row per person; a person without a row is a user. */
export const userRoles = sqliteTable(
  "user_roles",
  {
    user_id: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["admin", "moderator", "user"] }).notNull(),
  },
  (table) => [
    check("known_role", sql`${table.role} in ('admin', 'moderator', 'user')`),
    index("staff_roles").on(table.role).where(sql`role <> 'user'`),
  ],
);
