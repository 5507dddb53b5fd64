import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./accounts";
import { ticketCopies } from "./ticket-work";

/** The mails to send, written in the batch of the change that caused them. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").primaryKey(),
    /** The template that turns the parameters into a mail. */
    kind: text("kind").notNull(),
    /**
     * A keyed hash of the recipient: limits and bounces find rows by it, and the address is not stored in plain text.
     */
    to_hash: text("to_hash").notNull(),
    /**
     * The encrypted recipient and parameters (they contain links); erased once the mail is sent or dead. Empty: the
     * mail is put together from `mail_events` when it leaves.
     */
    params_enc: text("params_enc"),
    /** The person that a mail of events is for; NULL: the recipient is an address. */
    user_id: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The subject of the mail: when it is deleted, mails about it that are not sent yet are deleted too. */
    subject_type: text("subject_type"),
    subject_id: text("subject_id"),
    /** Is 0 for security mail, which must not wait behind notifications, and 1 for everything else. */
    priority: integer("priority").notNull(),
    status: text("status", {
      enum: ["pending", "sending", "sent", "delivered", "bounced", "uncertain", "dead", "left"],
    }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    next_at: integer("next_at").notNull(),
    lease_until: integer("lease_until"),
    /** When the attempt began, set before calling a provider that cannot detect a repeated send; see deliver-outbox. */
    send_attempted_at: integer("send_attempted_at"),
    last_error: text("last_error"),
    created_at: integer("created_at").notNull(),
    sent_at: integer("sent_at"),
    /**
     * The address that gets copies of a ticket, which a mail of events is for. When it is taken off, so is the mail.
     */
    copy_id: text("copy_id").references(() => ticketCopies.id, { onDelete: "cascade", onUpdate: "cascade" }),
    /** The id under which the provider has sent it, without brackets. An answer or a report may name nothing else. */
    provider_message_id: text("provider_message_id"),
  },
  (table) => [
    index("outbox_due").on(table.priority, table.next_at).where(sql`status in ('pending', 'sending')`),
    index("outbox_by_status").on(table.status, table.created_at),
    index("outbox_by_subject")
      .on(table.subject_type, table.subject_id)
      .where(sql`subject_id is not null and params_enc is not null`),
    index("outbox_by_copy").on(table.copy_id).where(sql`copy_id is not null`),
    index("outbox_by_person").on(table.user_id, table.subject_id).where(sql`user_id is not null`),
    index("outbox_held_by_address").on(table.to_hash).where(sql`last_error = 'address_held'`),
    index("outbox_by_provider_id").on(table.provider_message_id).where(sql`provider_message_id is not null`),
  ],
);

/** What the mails of events tell: events about one subject within a short time are one mail to each person. */
export const mailEvents = sqliteTable(
  "mail_events",
  {
    outbox_id: text("outbox_id")
      .notNull()
      .references(() => outbox.id, { onDelete: "cascade" }),
    event: text("event").notNull(),
    item_id: text("item_id").notNull(),
    /** What happened in one stored word, such as the new status; empty where the event says it. */
    detail: text("detail").notNull().default(""),
    actor_name: text("actor_name").notNull().default(""),
    at: integer("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.outbox_id, table.event, table.item_id] }),
    index("mails_about_item").on(table.item_id),
  ],
);

/**
 * One row while the quota of the mail provider is used up: since when, and when a mail is tried again. `reason`: the
 * code with which the provider has refused, or that our own count says so.
 */
export const mailPauses = sqliteTable(
  "mail_pauses",
  {
    id: integer("id").primaryKey(),
    since: integer("since").notNull(),
    retry_at: integer("retry_at").notNull(),
    reason: text("reason").notNull(),
  },
  (table) => [check("one_pause", sql`${table.id} = 1`)],
);

export const capturedMails = sqliteTable(
  "captured_mails",
  {
    id: text("id").primaryKey(),
    to: text("to").notNull(),
    from: text("from").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    html: text("html").notNull(),
    headers_json: text("headers_json").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (table) => [
    index("captured_mails_newest").on(table.created_at),
    index("captured_mails_by_recipient").on(table.to, table.created_at),
  ],
);

/**
 * What the provider has told of the mails it took, each event once, whatever their order. `applied_at` NULL: the mail
 * it names is not known yet. `held_until`: when the address may be written to again; NULL: it is not held, or, with
 * `holds`, until a person lifts it.
 */
export const mailDeliveryEvents = sqliteTable(
  "mail_delivery_events",
  {
    event_id: text("event_id").primaryKey(),
    provider_message_id: text("provider_message_id").notNull(),
    kind: text("kind", { enum: ["deferred", "delivered", "complained", "rejected", "failed", "bounced"] }).notNull(),
    /** A stored word such as those of `outbox.last_error`. */
    reason: text("reason"),
    holds: integer("holds").notNull().default(0),
    held_until: integer("held_until"),
    at: integer("at").notNull(),
    received_at: integer("received_at").notNull(),
    applied_at: integer("applied_at"),
  },
  (table) => [
    index("delivery_events_of_mail").on(table.provider_message_id),
    index("delivery_events_by_time").on(table.received_at),
  ],
);

/** Addresses that nothing but security mail is sent to for a time. `to_hash`: as in the outbox. */
export const mailAddressHolds = sqliteTable("mail_address_holds", {
  to_hash: text("to_hash").primaryKey(),
  reason: text("reason").notNull(),
  since: integer("since").notNull(),
  /** NULL: until a person lifts it. */
  until: integer("until"),
});

/** The last test mail of each direction, which proves that mail leaves, and that it arrives here. */
export const mailChecks = sqliteTable("mail_checks", {
  direction: text("direction", { enum: ["out", "in"] }).primaryKey(),
  /** Stands in the mail; whoever knows it has got the mail. */
  token: text("token").notNull(),
  domain: text("domain").notNull(),
  recipient: text("recipient", { enum: ["own", "support", "inbound"] }).notNull(),
  mail_id: text("mail_id").notNull(),
  asked_by: text("asked_by").references(() => users.id, { onDelete: "set null" }),
  asked_at: integer("asked_at").notNull(),
  arrived_at: integer("arrived_at"),
  arrival: text("arrival", { enum: ["delivered", "confirmed", "received", "without_detail"] }),
});
