import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { users } from "./accounts";
import { organizations } from "./organizations";
import { ofTicket, tickets, toTicket } from "./tickets";

/** Holds canned replies of staff. */
export const cannedReplies = sqliteTable(
  "canned_replies",
  {
    ...recordColumns(),
    /** Names the person whose own it is; NULL: shared by all staff. */
    owner_id: text("owner_id").references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    message: text("message").notNull(),
    category: text("category"),
    /** Names the status it proposes for the ticket; null: none. */
    status: text("status", { enum: ["waiting_for_customer", "resolved"] }),
    used: integer("used").notNull().default(0),
  },
  (table) => [index("canned_replies_by_owner").on(table.owner_id, table.title)],
);

/** Holds what was used of the allowances of a contract year, one row per use. */
export const allowanceEntries = sqliteTable(
  "allowance_entries",
  {
    id: text("id").primaryKey(),
    organization_id: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["after_hours", "onsite"] }).notNull(),
    /** Names the first day of the contract year, `YYYY-MM-DD`. */
    contract_year: text("contract_year").notNull(),
    /** Names the ticket that used it, and its number for the time after its deletion; NULL: none. */
    ticket_id: text("ticket_id").references(() => tickets.id, { onDelete: "set null" }),
    ticket_number: integer("ticket_number"),
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    at: integer("at").notNull(),
    /** Tells when it was taken back, by whom and why. An entry that was taken back does not count. */
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
    /** Names who has sent it, and may take it back. */
    user_id: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sent_at: integer("sent_at").notNull(),
    /** Holds the version of the ticket after the reply: whatever else happens to the ticket makes the reply final. */
    version: integer("version").notNull(),
    /** Holds the columns of the ticket before it, and what the keys begin with that it was sent by, as JSON. */
    before_json: text("before_json").notNull(),
    /**
     * Names the last entries of the history, the notifications and the events of mails before it; all rows after them
     * are its own.
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

/** Holds changes of many tickets at once. What a request has no room for, a job goes on with. */
export const bulkTicketChanges = sqliteTable(
  "bulk_ticket_changes",
  {
    /** Names the form with what it has ordered, so that the same form that arrives twice orders it once. */
    id: text("id").primaryKey(),
    ordered_by: text("ordered_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    ordered_at: integer("ordered_at").notNull(),
    /** Says what changes, and to what: a status, or an assignee by id; NULL: nobody. */
    property: text("property", { enum: ["status", "assignee"] }).notNull(),
    value: text("value"),
    /** Lists the selected tickets, with the version that the list showed, as JSON. */
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
