import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { attachments } from "./attachments";

export const contactSubmissions = sqliteTable(
  "contact_submissions",
  {
    ...recordColumns(),
    /** The number people quote: shown as `L-1001`. Drawn from `counters`, never given twice. */
    number: integer("number").notNull().unique(),
    first_name: text("first_name").notNull(),
    last_name: text("last_name").notNull(),
    email: text("email").notNull(),
    phone: text("phone"),
    company: text("company"),
    message: text("message"),
    status: text("status", { enum: ["new", "contacted", "resolved"] }).notNull(),
    /** Set aside for review: shown only in the "Held" view and counted nowhere else. */
    held_reason: text("held_reason", {
      enum: ["honeypot", "content", "too_many", "no_bot_token", "bot_service_down", "over_cap"],
    }),
    /** What the visitor had put together on the pricing page, priced again by the server. */
    estimate_json: text("estimate_json"),
    attachment_id: text("attachment_id").references(() => attachments.id),
    consent_at: integer("consent_at").notNull(),
    consent_terms_version: text("consent_terms_version").notNull(),
    ip_hash: text("ip_hash").notNull(),
  },
  (table) => [
    check("known_submission_status", sql`${table.status} in ('new', 'contacted', 'resolved')`),
    index("submissions_newest").on(table.created_at, table.id).where(sql`held_reason is null`),
    index("submissions_by_status").on(table.status, table.created_at, table.id).where(sql`held_reason is null`),
    index("submissions_held").on(table.created_at, table.id).where(sql`held_reason is not null`),
    index("submissions_by_email").on(table.email, table.created_at),
  ],
);

/** Every change of status, so that response times can be true. */
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
  },
  (table) => [index("submission_events_in_order").on(table.submission_id, table.at)],
);
