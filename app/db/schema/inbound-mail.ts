import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { tickets } from "./tickets";

/**
 * The mails that have arrived. Each is stored as it came, in R2 under `object_key`, before it is read; then it ends in
 * one state.
 */
export const inboundMail = sqliteTable(
  "inbound_mail",
  {
    id: text("id").primaryKey(),
    envelope_from: text("envelope_from").notNull(),
    envelope_to: text("envelope_to").notNull(),
    size: integer("size").notNull(),
    object_key: text("object_key").notNull(),
    state: text("state", {
      enum: ["received", "processed", "held", "automatic", "bounced", "dropped", "failed"],
    }).notNull(),
    class: text("class", { enum: ["person", "machine", "automatic_reply", "delivery_report"] }),
    /** The same for each delivery of one mail: a hash of Message-ID, sender and date. NULL: it has no Message-ID. */
    mail_key: text("mail_key"),
    from_address: text("from_address").notNull().default(""),
    from_name: text("from_name").notNull().default(""),
    /** Who wrote the mail that this one of staff forwards, so that export and erasure find it. */
    original_address: text("original_address"),
    subject: text("subject").notNull().default(""),
    ticket_id: text("ticket_id").references(() => tickets.id, { onDelete: "cascade" }),
    /** The message it became; NULL with `effect`: the description of the ticket. */
    message_id: text("message_id"),
    effect: text("effect", { enum: ["replied", "reopened", "opened", "follow_up", "noted"] }),
    /** Why it is where it is, in one stored word. */
    reason: text("reason"),
    /** What "Why is this here?" says besides, as JSON. */
    details: text("details").notNull().default("{}"),
    attempts: integer("attempts").notNull().default(0),
    next_at: integer("next_at").notNull(),
    lease_until: integer("lease_until"),
    received_at: integer("received_at").notNull(),
  },
  (table) => [
    // Of several deliveries at once one is kept, whatever each of them has read.
    uniqueIndex("mail_once").on(table.mail_key).where(sql`state in ('processed', 'held', 'automatic', 'bounced')`),
    index("mail_to_process").on(table.next_at).where(sql`state = 'received'`),
    index("mail_by_state").on(table.state, table.received_at),
    index("mail_in_order").on(table.received_at),
    index("mail_of_ticket").on(table.ticket_id, table.received_at).where(sql`ticket_id is not null`),
    index("mail_by_sender").on(table.from_address),
    index("mail_by_original_sender").on(table.original_address).where(sql`original_address is not null`),
    uniqueIndex("mail_objects").on(table.object_key),
  ],
);

/** The addresses whose mail staff do not want to see any more. */
export const blockedSenders = sqliteTable("blocked_senders", {
  email: text("email").primaryKey(),
  blocked_by: text("blocked_by").notNull(),
  blocked_at: integer("blocked_at").notNull(),
});
