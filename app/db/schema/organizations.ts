import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { numberedColumns } from "../columns";
import { users } from "./accounts";

export const organizations = sqliteTable(
  "organizations",
  {
    ...numberedColumns(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    description: text("description").notNull().default(""),
    plan: text("plan", { enum: ["none", "basic", "core", "premium"] })
      .notNull()
      .default("none"),
    contract_started_at: integer("contract_started_at"),
    phone: text("phone").notNull().default(""),
    /** The ids of the add-ons to the plan, separated by commas. */
    add_ons: text("add_ons").notNull().default(""),
    /** The time from which members must have a second factor, after a grace period; NULL: each member decides. */
    mfa_required_at: integer("mfa_required_at"),
    visibility: text("visibility", { enum: ["all", "own"] })
      .notNull()
      .default("all"),
    allows_copies: integer("allows_copies", { mode: "boolean" }).notNull().default(false),
    /** Whether staff look at those whom their own first mail has made contacts. */
    reviews_contacts: integer("reviews_contacts", { mode: "boolean" }).notNull().default(false),
    default_role: text("default_role", { enum: ["admin", "member"] })
      .notNull()
      .default("member"),
    /** The time when a client created it, until staff have looked at it; NULL: nothing to look at. */
    needs_review_at: integer("needs_review_at"),
    /** When a client was made of a request, until the ticket of its onboarding is open; NULL: there is none to open. */
    onboarding_due_since: integer("onboarding_due_since"),
    /**
     * Counts memberships by status and role, kept by triggers. `all_members` are active, pending and suspended ones.
     */
    active_members: integer("active_members").notNull().default(0),
    all_members: integer("all_members").notNull().default(0),
    /** Counts the owners and admins, whatever their status. */
    administrators: integer("administrators").notNull().default(0),
    /** Counts active members without a second factor, kept by triggers. */
    members_without_mfa: integer("members_without_mfa").notNull().default(0),
    ticket_count: integer("ticket_count").notNull().default(0),
    active_ticket_count: integer("active_ticket_count").notNull().default(0),
    /** The order of creation, given by the database. Row id in the search index. */
    number: integer("number").primaryKey(),
    /** The number once more: SQLite compares two columns at once by an index only if neither is the row id. */
    sort_number: integer("sort_number").generatedAlwaysAs(sql`number`, { mode: "virtual" }),
    search_name: text("search_name").notNull().default(""),
    search_description: text("search_description").notNull().default(""),
    search_text: text("search_text").generatedAlwaysAs(sql`search_name || ' ' || slug || ' ' || search_description`, {
      mode: "virtual",
    }),
    name_key: text("name_key").generatedAlwaysAs(
      sql`CASE search_name WHEN '' THEN char(1114111) ELSE substr(search_name, 1, 60) END`,
      { mode: "virtual" },
    ),
    search_state: text("search_state").generatedAlwaysAs(
      sql`'p.' || plan || (CASE WHEN needs_review_at is null THEN '' ELSE ' new' END)`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    uniqueIndex("organizations_in_order").on(table.number),
    index("organizations_by_name").on(table.name_key, table.id),
    index("organizations_by_active_tickets").on(table.active_ticket_count, table.sort_number),
    index("organizations_to_review").on(table.number).where(sql`needs_review_at is not null`),
    index("organizations_to_onboard").on(table.onboarding_due_since).where(sql`onboarding_due_since is not null`),
  ],
);

export const ofOrganization = () => ({
  organization_id: text("organization_id")
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" }),
});

/** The e-mail domains of organizations, confirmed by staff. A domain belongs to one organization. */
export const organizationDomains = sqliteTable(
  "organization_domains",
  {
    domain: text("domain").primaryKey(),
    ...ofOrganization(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [index("domains_by_organization").on(table.organization_id)],
);

export const organizationMemberships = sqliteTable(
  "organization_memberships",
  {
    ...numberedColumns(),
    ...ofOrganization(),
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "admin", "member"] }).notNull(),
    status: text("status", { enum: ["active", "pending", "suspended"] }).notNull(),
    invited_email: text("invited_email"),
    invited_by: text("invited_by"),
    invited_at: integer("invited_at"),
    joined_at: integer("joined_at"),
    /** The order of creation, given by the database. Row id in the search index. */
    number: integer("number").primaryKey(),
    /**
     * The searchable text: name and e-mail of the person, and below it the name of the organization. Kept by triggers.
     */
    search_text: text("search_text").notNull().default(""),
    search_state: text("search_state").generatedAlwaysAs(
      sql`'s.' || substr(status, 1, 1) || ' r.' || substr(role, 1, 1) || ' @' || organization_id || '.'`,
      { mode: "virtual" },
    ),
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
    // The lists of members, in the order of creation, by every filter and by several at once.
    uniqueIndex("memberships_in_order").on(table.number),
    index("memberships_by_status").on(table.status, table.number),
    index("memberships_by_role").on(table.role, table.number),
    index("memberships_by_role_and_status").on(table.role, table.status, table.number),
    index("members_in_order").on(table.organization_id, table.number),
    index("members_by_status").on(table.organization_id, table.status, table.number),
    index("members_by_role").on(table.organization_id, table.role, table.number),
    index("members_by_role_and_status").on(table.organization_id, table.role, table.status, table.number),
  ],
);

/** People of organizations who have no account: known by an address, written to and answered by mail. */
export const contacts = sqliteTable(
  "contacts",
  {
    id: text("id").notNull().unique(),
    ...ofOrganization(),
    email: text("email").notNull(),
    full_name: text("full_name").notNull(),
    phone: text("phone").notNull().default(""),
    created_at: integer("created_at").notNull(),
    /** The account that their address turned out to be: a trigger gives it what is theirs, and deletes the row. */
    member_id: text("member_id").references(() => users.id, { onDelete: "set null" }),
    /** The time of the first mail that made them known, until staff have looked at it; NULL: nothing to look at. */
    needs_review_at: integer("needs_review_at"),
    /** When staff said that they are not one of the organization; until they say otherwise their mail is held. */
    refused_at: integer("refused_at"),
    /** The row id in the search index. */
    number: integer("number").primaryKey(),
    /** The name, folded by `fold`: every writer of `full_name` writes it too. Indexed by triggers with the e-mail. */
    search_name: text("search_name").notNull().default(""),
    search_text: text("search_text").generatedAlwaysAs(sql`search_name || ' ' || email`, { mode: "virtual" }),
  },
  (table) => [
    uniqueIndex("contacts_by_address").on(table.email, table.organization_id),
    index("contacts_of_organization").on(table.organization_id, table.full_name),
  ],
);

/**
 * The further addresses of people, as staff have said: a mail from one is theirs, and nothing is ever mailed to it. An
 * account or a contact that has the address itself goes before.
 */
export const otherAddresses = sqliteTable(
  "other_addresses",
  {
    email: text("email").primaryKey(),
    /** Whose it is: either an account or a contact. */
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    contact_id: text("contact_id").references(() => contacts.id, { onDelete: "cascade" }),
    added_by: text("added_by").notNull(),
    added_at: integer("added_at").notNull(),
  },
  (table) => [
    index("other_addresses_of_account").on(table.user_id).where(sql`user_id is not null`),
    index("other_addresses_of_contact").on(table.contact_id).where(sql`contact_id is not null`),
  ],
);

/** Contacts whom an administrator has chosen to invite, in batches that a job sends. They go with the contact. */
export const contactInvitations = sqliteTable(
  "contact_invitations",
  {
    contact_id: text("contact_id")
      .primaryKey()
      .references(() => contacts.id, { onDelete: "cascade" }),
    organization_id: text("organization_id").notNull(),
    /** Invites, if they still may when it is sent. */
    chosen_by: text("chosen_by").notNull(),
    /** When it is sent, or tried again; NULL once it has an outcome. */
    due_at: integer("due_at"),
    outcome: text("outcome"),
  },
  (table) => [
    index("contact_invitations_due").on(table.due_at, table.organization_id).where(sql`due_at is not null`),
    index("contact_invitations_waiting").on(table.organization_id).where(sql`due_at is not null`),
  ],
);

/**
 * The links of invitations: to an account that staff have made, or to a membership. Each is for one address and is used
 * once. A new link for the same account or membership ends the one before.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    /** The SHA-256 of the token in the link, base64url. */
    id_hash: text("id_hash").primaryKey(),
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    membership_id: text("membership_id").references(() => organizationMemberships.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    /** The person who invited, and their name at the time. Without the right to invite, the invitation is void. */
    invited_by: text("invited_by").notNull(),
    inviter_name: text("inviter_name").notNull(),
    mail_id: text("mail_id"),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    consumed_at: integer("consumed_at"),
  },
  (table) => [
    check("account_or_membership", sql`(${table.user_id} is null) <> (${table.membership_id} is null)`),
    uniqueIndex("open_account_invitation").on(table.user_id).where(sql`user_id is not null and consumed_at is null`),
    uniqueIndex("open_membership_invitation")
      .on(table.membership_id)
      .where(sql`membership_id is not null and consumed_at is null`),
    index("invitations_by_account").on(table.user_id).where(sql`user_id is not null`),
    index("invitations_by_membership").on(table.membership_id).where(sql`membership_id is not null`),
    index("invitations_by_expiry").on(table.expires_at),
  ],
);
