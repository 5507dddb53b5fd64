import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { ofUser, users } from "./accounts";
import { contacts, ofOrganization } from "./organizations";
import { ofTicket, tickets, toTicket } from "./tickets";

export const cannedReplies = sqliteTable(
  "canned_replies",
  {
    ...recordColumns(),
    owner_id: text("owner_id").references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    message: text("message").notNull(),
    category: text("category"),
    status: text("status", { enum: ["waiting_for_customer", "resolved"] }),
    used: integer("used").notNull().default(0),
  },
  (table) => [index("canned_replies_by_owner").on(table.owner_id, table.title)],
);

export const allowanceEntries = sqliteTable(
  "allowance_entries",
  {
    id: text("id").primaryKey(),
    ...ofOrganization(),
    kind: text("kind", { enum: ["after_hours", "onsite"] }).notNull(),
    contract_year: text("contract_year").notNull(),
    /** The ticket that used it, and its number for the time after its deletion; NULL: none. */
    ticket_id: text("ticket_id").references(() => tickets.id, { onDelete: "set null" }),
    ticket_number: integer("ticket_number"),
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    at: integer("at").notNull(),
    /** When it was taken back, by whom and why. An entry that was taken back does not count. */
    reversed_at: integer("reversed_at"),
    reversed_by_name: text("reversed_by_name"),
    reversal_reason: text("reversal_reason"),
  },
  (table) => [
    index("allowances_used").on(table.organization_id, table.kind, table.contract_year, table.at),
    uniqueIndex("one_after_hours_incident")
      .on(table.ticket_id)
      .where(sql`kind = 'after_hours' and reversed_at is null`),
  ],
);

/** Holds, for a few seconds, how a ticket was before a reply, so that the reply can be taken back. */
export const undoableReplies = sqliteTable(
  "undoable_replies",
  {
    message_id: text("message_id").primaryKey(),
    ...ofTicket(),
    ...ofUser(),
    sent_at: integer("sent_at").notNull(),
    version: integer("version").notNull(),
    /** The columns of the ticket before it, and what the keys begin with that it was sent by, as JSON. */
    before_json: text("before_json").notNull(),
    /**
     * The last entries of the history, the notifications and the events of mails before it; all rows after them are its
     * own.
     */
    last_event: integer("last_event").notNull(),
    last_notification: integer("last_notification").notNull(),
    last_mail_event: integer("last_mail_event").notNull(),
  },
  (table) => [
    toTicket(table),
    index("undoable_replies_of_ticket").on(table.ticket_id, table.user_id),
    index("undoable_replies_by_person").on(table.user_id),
    index("undoable_replies_by_time").on(table.sent_at),
  ],
);

/** Changes of many tickets at once. What a request has no room for, a job goes on with. */
export const bulkTicketChanges = sqliteTable(
  "bulk_ticket_changes",
  {
    /** The form with what it has ordered, so that the same form that arrives twice orders it once. */
    id: text("id").primaryKey(),
    ordered_by: text("ordered_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ordered_at: integer("ordered_at").notNull(),
    /** What changes, and to what: a status, or an assignee by id; NULL: nobody. */
    property: text("property", { enum: ["status", "assignee"] }).notNull(),
    value: text("value"),
    rows_json: text("rows_json").notNull(),
    /** Counts the rows that were gone through, from the first on, and what became of them. */
    position: integer("position").notNull().default(0),
    changed: integer("changed").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    finished_at: integer("finished_at"),
  },
  (table) => [
    index("bulk_ticket_changes_by_person").on(table.ordered_by),
    index("bulk_ticket_changes_in_order").on(table.ordered_at),
    index("unfinished_bulk_ticket_changes").on(table.ordered_at).where(sql`finished_at is null`),
  ],
);

/**
 * The addresses that get copies of the public mails of a ticket. Nobody reads anything else by them. The row of one
 * that has asked for no more copies stays, so that its mailbox gets none, whoever adds it again.
 */
export const ticketCopies = sqliteTable(
  "ticket_copies",
  {
    id: text("id").primaryKey(),
    ...ofTicket(),
    email: text("email").notNull(),
    /** The person without an account whose ticket it is: the mails are no copies then, but to them. NULL: in cc. */
    contact_id: text("contact_id").references(() => contacts.id, { onDelete: "cascade" }),
    /** The account of a person who had none: their former reply address goes on working, and nothing is mailed. */
    member_id: text("member_id").references(() => users.id, { onDelete: "cascade" }),
    added_by: text("added_by"),
    added_at: integer("added_at").notNull(),
    /**
     * When an address that asked for no more copies was taken off the ticket, or the contact whose ticket it was; any
     * other is deleted then. NULL: the ticket lists it.
     */
    removed_at: integer("removed_at"),
    /**
     * The mailbox of an address that asked for no more copies: one for all spellings that reach it. Nothing is mailed
     * to it, which nobody else is told.
     */
    stopped_mailbox: text("stopped_mailbox"),
  },
  (table) => [
    toTicket(table),
    uniqueIndex("copies_of_ticket").on(table.ticket_id, table.email),
    index("copies_by_member").on(table.member_id).where(sql`member_id is not null`),
    index("copies_by_contact").on(table.contact_id).where(sql`contact_id is not null`),
    index("copies_by_address").on(table.email, table.added_at),
    index("copies_stopped").on(table.stopped_mailbox).where(sql`stopped_mailbox is not null`),
  ],
);

/** The addresses to which clients have also written a mail that came to a ticket: staff add or ignore them. */
export const proposedCopies = sqliteTable(
  "proposed_copies",
  {
    id: text("id").primaryKey(),
    ...ofTicket(),
    email: text("email").notNull(),
    /** The message that came by that mail; NULL: it opened the ticket. */
    message_id: text("message_id"),
    proposed_at: integer("proposed_at").notNull(),
    /** So that it is not proposed again. */
    ignored_at: integer("ignored_at"),
  },
  (table) => [
    toTicket(table),
    uniqueIndex("proposed_copies_of_ticket").on(table.ticket_id, table.email),
    index("proposed_copies_by_address").on(table.email),
  ],
);
