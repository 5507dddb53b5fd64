import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { users } from "./accounts";

export const organizations = sqliteTable("organizations", {
  ...recordColumns(),
  name: text("name").notNull(),
  slug: text("slug").notNull().unique(),
  description: text("description").notNull().default(""),
  plan: text("plan", { enum: ["none", "basic", "core", "premium"] })
    .notNull()
    .default("none"),
  contract_started_at: integer("contract_started_at"),
  /** Time from which members must have a second factor, after a grace period; NULL: each member decides. */
  mfa_required_at: integer("mfa_required_at"),
});

export const organizationMemberships = sqliteTable(
  "organization_memberships",
  {
    ...recordColumns(),
    organization_id: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** NULL until the invitation is accepted. */
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "admin", "member"] }).notNull(),
    status: text("status", { enum: ["active", "pending", "suspended"] }).notNull(),
    invited_email: text("invited_email"),
    invited_by: text("invited_by"),
    invited_at: integer("invited_at"),
    joined_at: integer("joined_at"),
  },
  (table) => [
    check(
      "person_or_invitation",
      sql`${table.user_id} is not null or (${table.status} = 'pending' and ${table.invited_email} is not null)`,
    ),
    uniqueIndex("one_membership").on(table.organization_id, table.user_id).where(sql`user_id is not null`),
    uniqueIndex("one_invitation").on(table.organization_id, table.invited_email).where(sql`status = 'pending'`),
    index("invitations_by_address").on(table.invited_email).where(sql`status = 'pending'`),
    index("memberships_by_user").on(table.user_id, table.status),
  ],
);
