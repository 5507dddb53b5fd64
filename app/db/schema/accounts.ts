import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { numberedColumns } from "../columns";

export const users = sqliteTable(
  "users",
  {
    ...numberedColumns(),
    /** Identifies the account: trimmed, lower-cased, domain in ASCII. */
    email: text("email").notNull().unique(),
    full_name: text("full_name").notNull(),
    phone: text("phone").notNull().default(""),
    /** The hash, in the form `$scrypt-hmac$…`; NULL until an invited person has chosen a password. */
    password_hash: text("password_hash"),
    status: text("status", { enum: ["unverified", "pending", "active", "deactivated"] }).notNull(),
    /** Ends every session of the person at once when it is incremented. */
    auth_epoch: integer("auth_epoch").notNull().default(0),
    must_change_password: integer("must_change_password").notNull().default(0),
    /** The expiry of a password that somebody else has set; NULL for one its owner has chosen. */
    password_expires_at: integer("password_expires_at"),
    /** Counts the wrong passwords since the last sign-in. At a hundred only a password reset unlocks the account. */
    password_failures: integer("password_failures").notNull().default(0),
    pending_email: text("pending_email"),
    /** When the person asked for their account to be closed, which staff decide about; NULL: they did not. */
    closure_requested_at: integer("closure_requested_at"),
    /** Whether the person wants no keyboard shortcuts. */
    shortcuts_off: integer("shortcuts_off", { mode: "boolean" }).notNull().default(false),
    /** The order of creation, given by the database. Row id in the search index. */
    number: integer("number").primaryKey(),
    /** The name, folded by `fold`: every writer of `full_name` writes it too. Indexed by triggers with the e-mail. */
    search_name: text("search_name").notNull().default(""),
    search_text: text("search_text").generatedAlwaysAs(sql`search_name || ' ' || email`, { mode: "virtual" }),
    name_key: text("name_key").generatedAlwaysAs(
      sql`CASE search_name WHEN '' THEN char(1114111) ELSE substr(search_name, 1, 60) END`,
      { mode: "virtual" },
    ),
    /** A copy of the role for the list, kept by triggers. `user_roles` decides. */
    listed_role: text("listed_role", { enum: ["admin", "moderator", "user"] })
      .notNull()
      .default("user"),
    /** Whether a second factor is set up: a copy for the list, kept by triggers. `user_mfa_settings` decides. */
    listed_factor: integer("listed_factor").notNull().default(0),
    is_staff: integer("is_staff").generatedAlwaysAs(sql`listed_role <> 'user'`, { mode: "virtual" }),
    /** Whether somebody who can sign in has a second factor; `none` for an account that nobody can use. */
    factor_state: text("factor_state", { enum: ["on", "off", "none"] }).generatedAlwaysAs(
      sql`CASE WHEN status <> 'active' THEN 'none' WHEN listed_factor = 1 THEN 'on' ELSE 'off' END`,
      { mode: "virtual" },
    ),
    search_state: text("search_state").generatedAlwaysAs(sql`'r.' || substr(listed_role, 1, 1)`, { mode: "virtual" }),
  },
  (table) => [
    check("known_status", sql`${table.status} in ('unverified', 'pending', 'active', 'deactivated')`),
    uniqueIndex("users_in_order").on(table.number),
    index("users_by_name").on(table.name_key, table.id),
    index("users_by_role").on(table.listed_role, table.number),
    index("users_by_role_and_name").on(table.listed_role, table.name_key, table.id),
    index("users_by_factor").on(table.factor_state, table.number),
    index("users_by_side_and_factor").on(table.is_staff, table.factor_state, table.number),
    index("invited_users").on(table.number).where(sql`status = 'pending'`),
    index("accounts_to_close").on(table.closure_requested_at).where(sql`closure_requested_at is not null`),
    index("unconfirmed_accounts").on(table.updated_at).where(sql`status = 'unverified'`),
  ],
);

export const ofUser = () => ({
  user_id: text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
});

export const userKey = () =>
  text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" });

/**
 * Counts the accounts by role and by when they were created: by quarters of an hour, which no time zone cuts, and by
 * days of UTC. Triggers maintain it. The count of any days of a time zone is a sum over days, with quarters at both
 * ends.
 */
export const accountCounts = sqliteTable(
  "account_counts",
  {
    length: integer("length").notNull(),
    step: integer("step").notNull(),
    admin: integer("admin").notNull().default(0),
    moderator: integer("moderator").notNull().default(0),
    user: integer("user").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.length, table.step] })],
);

/** One row per person; a person without a row is a user. */
export const userRoles = sqliteTable(
  "user_roles",
  {
    user_id: userKey(),
    role: text("role", { enum: ["admin", "moderator", "user"] }).notNull(),
  },
  (table) => [
    check("known_role", sql`${table.role} in ('admin', 'moderator', 'user')`),
    index("staff_roles").on(table.role).where(sql`role <> 'user'`),
  ],
);

export const savedViews = sqliteTable(
  "saved_views",
  {
    id: text("id").primaryKey(),
    list: text("list").notNull(),
    owner_id: text("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    shared: integer("shared").notNull(),
    name: text("name").notNull(),
    query: text("query").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [
    index("saved_views_by_owner").on(table.list, table.owner_id, table.created_at),
    index("saved_views_shared").on(table.list, table.created_at).where(sql`shared = 1`),
  ],
);
