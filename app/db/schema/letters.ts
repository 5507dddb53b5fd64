import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { recordColumns } from "../columns";
import { ofOrganization } from "./organizations";

export const letters = sqliteTable(
  "letters",
  {
    ...recordColumns(),
    ...ofOrganization(),
    month: text("month").notNull(),
    status: text("status", { enum: ["draft", "released"] }).notNull(),
    /** What happened in the month, as it was counted when the draft was made: `LetterMetrics`. */
    facts_json: text("facts_json").notNull(),
    /** What staff have added: sentences, and a reason for each missed promise. */
    words_json: text("words_json").notNull(),
    /** The letter as it was released, its SHA-256 in hexadecimal, and by whom; NULL while it is a draft. */
    letter_json: text("letter_json"),
    letter_hash: text("letter_hash"),
    released_at: integer("released_at"),
    released_by_name: text("released_by_name"),
    recipients: integer("recipients"),
    /** The number in the order of months, given by a trigger: `202610000001`. Row id in the search index. */
    number: integer("number").notNull().default(0),
    search_text: text("search_text").notNull().default(""),
    search_state: text("search_state").generatedAlwaysAs(sql`'s.' || substr(status, 1, 1)`, { mode: "virtual" }),
  },
  (table) => [
    check("released_with_its_text", sql`(status = 'released') = (letter_json is not null and letter_hash is not null)`),
    uniqueIndex("one_letter_a_month").on(table.organization_id, table.month),
    uniqueIndex("letters_in_order").on(table.number),
    index("letters_by_status").on(table.status, table.number),
  ],
);

export const letterMonths = sqliteTable("letter_months", {
  month: text("month").primaryKey(),
  done_up_to: integer("done_up_to").notNull().default(0),
  finished_at: integer("finished_at"),
});
