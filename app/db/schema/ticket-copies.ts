import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofTicket, toTicket } from "./tickets";

/**
 * Holds the addresses that get copies of the public mails of a ticket. Nobody reads anything else by them. The row of
 * one that has asked for no more copies stays, so that its mailbox gets none, whoever adds it again.
 */
export const ticketCopies = sqliteTable(
  "ticket_copies",
  {
    id: text("id").primaryKey(),
    ...ofTicket(),
    /** Holds the address, normalized. */
    email: text("email").notNull(),
    added_by: text("added_by"),
    added_at: integer("added_at").notNull(),
    /**
     * Tells when an address that asked for no more copies was taken off the ticket; any other is deleted then. NULL:
     * the ticket lists it.
     */
    removed_at: integer("removed_at"),
    /**
     * Holds the mailbox of an address that asked for no more copies: one for all spellings that reach it. Nothing is
     * mailed to it, which nobody else is told.
     */
    stopped_mailbox: text("stopped_mailbox"),
  },
  (table) => [
    toTicket(table),
    uniqueIndex("copies_of_ticket").on(table.ticket_id, table.email),
    index("copies_by_address").on(table.email),
    index("copies_stopped").on(table.stopped_mailbox).where(sql`stopped_mailbox is not null`),
  ],
);
