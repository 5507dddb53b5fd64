import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MODERATION_REASONS } from "../../lib/moderation";
import { recordColumns } from "../columns";
import { users } from "./accounts";
import { organizations } from "./organizations";
import { attachments } from "./subjects";

export const contactSubmissions = sqliteTable(
  "contact_submissions",
  {
    ...recordColumns(),
    /** The reference number, shown as `L-1001`. Taken from `counters`, never given twice. */
    number: integer("number").notNull().unique(),
    first_name: text("first_name").notNull(),
    last_name: text("last_name").notNull(),
    email: text("email").notNull(),
    phone: text("phone"),
    company: text("company"),
    message: text("message"),
    status: text("status", { enum: ["new", "contacted", "resolved"] }).notNull(),
    /** Why it is held for review. A held submission is shown only in the "Held" view and not counted. */
    held_reason: text("held_reason", { enum: MODERATION_REASONS }),
    estimate_json: text("estimate_json"),
    /** The source of the visit: the `utm_source` of a campaign, another site, or a page of ours. */
    source: text("source"),
    campaign: text("campaign"),
    attachment_id: text("attachment_id").references(() => attachments.id),
    consent_at: integer("consent_at").notNull(),
    consent_terms_version: text("consent_terms_version").notNull(),
    ip_hash: text("ip_hash").notNull(),
    /**
     * The searchable text: name, e-mail and company, folded. Written by `submissionSearchText`, indexed by triggers.
     */
    search_text: text("search_text").notNull().default(""),
    name_key: text("name_key").notNull().default(""),
    status_rank: integer("status_rank").generatedAlwaysAs(
      sql`CASE status WHEN 'new' THEN 0 WHEN 'contacted' THEN 1 ELSE 2 END`,
      { mode: "virtual" },
    ),
    /** The row id in the search indexes. Ordered by the second of creation, then by the number. */
    search_id: integer("search_id").generatedAlwaysAs(sql`created_at / 1000 * 65536 + number % 65536`, {
      mode: "virtual",
    }),
    /** Status and owner as tokens of the search index, so that a search can filter by them. See `STATUS_TOKENS`. */
    search_state: text("search_state").generatedAlwaysAs(
      sql`'s.' || (CASE WHEN held_reason is null THEN substr(status, 1, 1) ELSE 'h' END) || coalesce(' @' || owner_id || '.', '')`,
      { mode: "virtual" },
    ),
    /** The calendar day of creation in the site's time zone, `YYYY-MM-DD`. Submissions per day are counted by it. */
    submitted_on: text("submitted_on"),
    /** The time by which it was promised an answer. Only the order to move running clocks changes it. */
    reply_due_at: integer("reply_due_at").notNull(),
    owner_id: text("owner_id").references(() => users.id, { onDelete: "set null" }),
    follow_up_on: text("follow_up_on"),
    /** The client that it was made into, whose first record it is; such ones are kept as long as the client is. */
    organization_id: text("organization_id").references(() => organizations.id, { onDelete: "set null" }),
  },
  (table) => [
    check("known_submission_status", sql`${table.status} in ('new', 'contacted', 'resolved')`),
    index("submissions_newest").on(table.created_at, table.id).where(sql`held_reason is null`),
    index("submissions_by_status").on(table.status_rank, table.created_at, table.id).where(sql`held_reason is null`),
    index("submissions_by_name").on(table.name_key, table.id).where(sql`held_reason is null`),
    uniqueIndex("submissions_found").on(table.search_id),
    index("submissions_held").on(table.created_at, table.id).where(sql`held_reason is not null`),
    index("submissions_by_email").on(table.email, table.created_at),
    // Foreign keys without an index would cost a full scan when a user or a file is deleted.
    index("submissions_by_owner").on(table.owner_id, table.created_at, table.id).where(sql`owner_id is not null`),
    index("submissions_without_owner")
      .on(table.created_at, table.id)
      .where(sql`held_reason is null and owner_id is null`),
    index("submissions_by_file").on(table.attachment_id).where(sql`attachment_id is not null`),
    // What waits for an answer, by owner and of nobody; their number is small however many were answered.
    index("submissions_waiting")
      .on(table.owner_id, table.created_at, table.id)
      .where(sql`held_reason is null and status = 'new'`),
    index("submissions_follow_up_by_day")
      .on(table.follow_up_on, table.id)
      .where(sql`held_reason is null and follow_up_on is not null and status <> 'resolved'`),
    // What the retention deletes, the oldest first.
    index("submissions_by_last_change")
      .on(table.updated_at, table.id)
      .where(sql`held_reason is null and status = 'resolved' and organization_id is null`),
    index("submissions_of_client").on(table.organization_id, table.created_at).where(sql`organization_id is not null`),
    index("submissions_to_follow_up")
      .on(table.created_at, table.id, table.follow_up_on)
      .where(sql`held_reason is null and follow_up_on is not null and status <> 'resolved'`),
  ],
);

export const submissionEvents = sqliteTable(
  "submission_events",
  {
    id: text("id").primaryKey(),
    submission_id: text("submission_id")
      .notNull()
      .references(() => contactSubmissions.id, { onDelete: "cascade" }),
    from_status: text("from_status"),
    to_status: text("to_status").notNull(),
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    at: integer("at").notNull(),
    /** Whether its sender became a client by it. */
    made_client: integer("made_client", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("submission_events_in_order").on(table.submission_id, table.at)],
);

export const submissionAssignments = sqliteTable(
  "submission_assignments",
  {
    id: text("id").primaryKey(),
    submission_id: text("submission_id")
      .notNull()
      .references(() => contactSubmissions.id, { onDelete: "cascade" }),
    owner_name: text("owner_name"),
    follow_up_on: text("follow_up_on"),
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [index("submission_assignments_in_order").on(table.submission_id, table.at)],
);

export const submissionReplies = sqliteTable(
  "submission_replies",
  {
    id: text("id").primaryKey(),
    submission_id: text("submission_id")
      .notNull()
      .references(() => contactSubmissions.id, { onDelete: "cascade" }),
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    message: text("message").notNull(),
    at: integer("at").notNull(),
    /**
     * The mail in the outbox, whose state is shown with the reply. Mails are removed some time after they were sent.
     */
    mail_id: text("mail_id"),
  },
  (table) => [index("submission_replies_in_order").on(table.submission_id, table.at)],
);

/**
 * Counts the submissions that are not held, by calendar day of creation (`2026-11-18`) and by month (`m2026-11`).
 * Triggers maintain it. The count of any range of days is a sum over at most two months of days and the months between.
 */
export const submissionCounts = sqliteTable("submission_counts", {
  period: text("period").primaryKey(),
  new: integer("new").notNull().default(0),
  contacted: integer("contacted").notNull().default(0),
  resolved: integer("resolved").notNull().default(0),
});
