import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ofTicket, toTicket } from "./tickets";

/** Holds the addresses that get copies of the public mails of a ticket. Nobody reads anything else by them. */
export const ticketCopies = sqliteTable(
  "ticket_copies",
  {
    id: text("id").primaryKey(),
    ...ofTicket(),
    /** Normalized. */
    email: text("email").notNull(),
    added_by: text("added_by"),
    added_at: integer("added_at").notNull(),
  },
  (table) => [
    toTicket(table),
    uniqueIndex("copies_of_ticket").on(table.ticket_id, table.email),
    index("copies_by_address").on(table.email),
  ],
);
