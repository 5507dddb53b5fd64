import { type SQL, sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { TICKET_EVENT_KINDS, TICKET_PRIORITIES, TICKET_STATUSES } from "../../lib/ticket-values";
import { numberedColumns, recordColumns } from "../columns";
import { ofUser, userKey, users } from "./accounts";
import { contacts, ofOrganization, organizations } from "./organizations";

const isOneOf = (column: AnySQLiteColumn, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;

/** The condition of the indexes of active tickets, which their queries must repeat word for word. */
const ACTIVE = sql`status in ('open', 'in_progress', 'waiting_for_customer')`;
const OPENED_RANK = sql`created_at / 1000 * 2097152 + number % 2097152`;
const DUE_RANK = sql`coalesce(due_at, 9007199254740991 - opened_rank)`;

export const tickets = sqliteTable(
  "support_tickets",
  {
    ...recordColumns(),
    /** The reference number, shown as `T-1042`, never given twice. */
    number: integer("number").notNull().unique(),
    ...ofOrganization(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    priority: text("priority", { enum: TICKET_PRIORITIES }).notNull(),
    category: text("category"),
    /** What has stopped working, and for how many people: asked of urgent tickets. */
    impact: text("impact"),
    status: text("status", { enum: TICKET_STATUSES }).notNull(),
    /** The client whose ticket it is, and their name when it was opened. */
    created_by: text("created_by").references(() => users.id, { onDelete: "set null" }),
    creator_name: text("creator_name").notNull(),
    /** The client whose ticket it is, if they have no account. */
    contact_id: text("contact_id").references(() => contacts.id, { onDelete: "set null" }),
    /** The member of staff who opened it for the client; NULL: the client did. */
    opened_by: text("opened_by").references(() => users.id, { onDelete: "set null" }),
    assigned_to: text("assigned_to").references(() => users.id, { onDelete: "set null" }),
    /** Limits who sees it to its creator, the people on it, admins of the organization and staff. */
    is_private: integer("is_private", { mode: "boolean" }).notNull().default(false),
    follow_up_of: text("follow_up_of"),
    /** The number that it had in the product it was imported from; NULL: it was opened here. */
    old_number: text("old_number"),
    /** What was done, as the client reads it, when it was last resolved by staff. */
    resolution: text("resolution"),
    resolved_at: integer("resolved_at"),
    closed_at: integer("closed_at"),
    /** Since when it waits for the client; NULL in every other status. */
    waiting_since: integer("waiting_since"),
    /** When the client was reminded, of our waiting or of the end; NULL again when the status changes. */
    reminded_at: integer("reminded_at"),
    /** Counts the public messages. A reply that was begun at a smaller number is asked about before it is sent. */
    public_messages: integer("public_messages").notNull().default(0),
    last_message_at: integer("last_message_at").notNull(),
    /** The state of the promise clock: see `features/tickets/sla/clock.ts`. */
    promise_json: text("promise_json").notNull(),
    /** The end of the running promise, also when it has passed; NULL: none runs, or it is paused. */
    due_at: integer("due_at"),
    warn_at: integer("warn_at"),
    miss_at: integer("miss_at"),
    /** The version of which the metrics were made; another one than `version`, or NULL: they are to be made again. */
    measured_version: integer("measured_version"),
    /** The people who see it whatever the organization's rule says, as tokens `~usr_….`. */
    viewers: text("viewers").notNull(),
    /** The searchable text: title, number, description and name of the organization, folded, one per line. */
    search_text: text("search_text").notNull(),
    /** What a search can be limited to, as tokens of the search index: see `token` in the lists of tickets. */
    search_state: text("search_state").generatedAlwaysAs(
      sql`'s.' || substr(status, 1, 1) || ' p.' || substr(priority, 1, 1) || ' @' || organization_id || '.'
        || (CASE WHEN assigned_to is null THEN ' nobody' ELSE ' @' || assigned_to || '.' END)
        || (CASE WHEN is_private THEN ' private ' ELSE ' shared ' END) || viewers`,
      { mode: "virtual" },
    ),
    /** Whether somebody has to do something: open, in progress or waiting for the client. */
    is_active: integer("is_active", { mode: "boolean" }).generatedAlwaysAs(ACTIVE, { mode: "virtual" }),
    /** The place in the order of opening, by the second and then the number; row id in the search index. */
    opened_rank: integer("opened_rank").generatedAlwaysAs(OPENED_RANK, { mode: "virtual" }),
    /** The place in the order of what is due next; without a due time it comes last, the newest ticket first. */
    due_rank: integer("due_rank").generatedAlwaysAs(DUE_RANK, { mode: "virtual" }),
  },
  (table) => [
    check("known_ticket_status", isOneOf(table.status, TICKET_STATUSES)),
    check("known_ticket_priority", isOneOf(table.priority, TICKET_PRIORITIES)),
    // What child rows refer to, so that none can belong to another organization.
    uniqueIndex("tickets_of_organization").on(table.organization_id, table.id),
    index("tickets_by_creator").on(table.created_by, table.number).where(sql`created_by is not null`),
    index("tickets_by_contact").on(table.contact_id).where(sql`contact_id is not null`),
    index("tickets_by_opener").on(table.opened_by).where(sql`opened_by is not null`),
    index("tickets_by_assignee").on(table.assigned_to, table.number).where(sql`assigned_to is not null`),
    index("follow_ups").on(table.follow_up_of, table.number).where(sql`follow_up_of is not null`),
    uniqueIndex("tickets_in_order").on(table.opened_rank),
    index("tickets_by_old_number").on(table.old_number).where(sql`old_number is not null`),
    index("organization_tickets").on(table.organization_id, table.opened_rank),
    // The orders of "next due", which are those of active tickets only: see `ACTIVE` in the list of staff.
    index("active_tickets_by_due").on(table.due_rank, table.number).where(ACTIVE),
    index("active_tickets_of_organization").on(table.organization_id, table.due_rank, table.number).where(ACTIVE),
    index("active_tickets_of_assignee").on(table.assigned_to, table.due_rank, table.number).where(ACTIVE),
    index("active_tickets_in_order").on(table.opened_rank).where(ACTIVE),
    // What the jobs look for.
    index("tickets_to_measure").on(table.number).where(sql`measured_version is not version`),
    index("tickets_to_warn_about").on(table.warn_at).where(sql`warn_at is not null`),
    index("tickets_to_miss").on(table.miss_at).where(sql`miss_at is not null`),
    index("tickets_waiting").on(table.reminded_at, table.waiting_since).where(sql`status = 'waiting_for_customer'`),
    index("tickets_to_close").on(table.reminded_at, table.resolved_at).where(sql`status = 'resolved'`),
  ],
);

export const ofTicket = () => ({
  organization_id: text("organization_id").notNull(),
  ticket_id: text("ticket_id").notNull(),
});

export const toTicket = (table: { organization_id: AnySQLiteColumn; ticket_id: AnySQLiteColumn }) =>
  foreignKey({
    columns: [table.organization_id, table.ticket_id],
    foreignColumns: [tickets.organization_id, tickets.id],
  })
    .onUpdate("cascade")
    .onDelete("cascade");

/** What was written on tickets: public messages, and notes that no client ever sees. */
export const ticketMessages = sqliteTable(
  "ticket_messages",
  {
    ...numberedColumns(),
    ...ofTicket(),
    user_id: text("user_id").references(() => users.id, { onDelete: "set null" }),
    contact_id: text("contact_id").references(() => contacts.id, { onDelete: "set null" }),
    author_name: text("author_name").notNull(),
    side: text("side", { enum: ["client", "staff"] }).notNull(),
    is_internal: integer("is_internal", { mode: "boolean" }).notNull().default(false),
    message: text("message").notNull(),
    /** The order of creation, given by the database. Row id in the search index. */
    number: integer("number").primaryKey(),
    /**
     * Whom its author left out of its mails, as a JSON array: ids of accounts and of copies. No later mail repeats it
     * to them.
     */
    not_to: text("not_to").notNull().default("[]"),
  },
  (table) => [
    toTicket(table),
    check("only_staff_write_internally", sql`${table.is_internal} = 0 or ${table.side} = 'staff'`),
    index("ticket_messages_in_order").on(table.ticket_id, table.created_at, table.id),
    index("public_messages_in_order").on(table.ticket_id, table.created_at, table.id).where(sql`is_internal = 0`),
    index("ticket_messages_by_author").on(table.user_id).where(sql`user_id is not null`),
    index("ticket_messages_by_contact").on(table.contact_id).where(sql`contact_id is not null`),
  ],
);

/** What happened to tickets. Values are stored words, for people the name at the time. */
export const ticketEvents = sqliteTable(
  "ticket_events",
  {
    id: text("id").primaryKey(),
    ...ofTicket(),
    kind: text("kind", { enum: TICKET_EVENT_KINDS }).notNull(),
    from_value: text("from_value"),
    to_value: text("to_value"),
    /** Why, in the words of who did it. The client reads it. */
    reason: text("reason"),
    /** The account, or the contact of a client without one. */
    actor_id: text("actor_id"),
    actor_name: text("actor_name").notNull(),
    actor_side: text("actor_side", { enum: ["client", "staff", "system"] }).notNull(),
    at: integer("at").notNull(),
  },
  (table) => [toTicket(table), index("ticket_events_in_order").on(table.ticket_id, table.at, table.id)],
);

export const ticketPeople = sqliteTable(
  "ticket_people",
  {
    ...ofTicket(),
    ...ofUser(),
    added_by: text("added_by"),
    added_at: integer("added_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.user_id] }),
    toTicket(table),
    index("tickets_of_person").on(table.user_id, table.ticket_id),
  ],
);

export const ticketDrafts = sqliteTable(
  "ticket_drafts",
  {
    ...ofTicket(),
    ...ofUser(),
    kind: text("kind", { enum: ["reply", "note"] }).notNull(),
    message: text("message").notNull(),
    /** `public_messages` of the ticket when it was begun. */
    begun_at_message: integer("begun_at_message").notNull(),
    updated_at: integer("updated_at").notNull(),
    /** What staff have begun beside the message: why the reply is late, and what was done. */
    why_late: text("why_late").notNull().default(""),
    what_was_done: text("what_was_done").notNull().default(""),
    /** Whom staff mean to leave out of its mails: see `ticket_messages`. */
    not_to: text("not_to").notNull().default("[]"),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.user_id, table.kind] }),
    toTicket(table),
    index("drafts_of_person").on(table.user_id),
  ],
);

export const ticketVotes = sqliteTable(
  "ticket_votes",
  {
    ...ofTicket(),
    ...ofUser(),
    is_solved: integer("is_solved", { mode: "boolean" }).notNull(),
    comment: text("comment").notNull().default(""),
    at: integer("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.user_id] }),
    toTicket(table),
    index("votes_of_person").on(table.user_id),
  ],
);

/** When somebody was last asked "Solved?" by mail: once a week at most. */
export const solvedQuestions = sqliteTable("solved_questions", {
  user_id: userKey(),
  ticket_id: text("ticket_id").notNull(),
  asked_at: integer("asked_at").notNull(),
});

/** Counts the tickets of each organization by status, and their files. Triggers maintain it. */
export const ticketCounts = sqliteTable("ticket_counts", {
  organization_id: text("organization_id")
    .primaryKey()
    .references(() => organizations.id, { onDelete: "cascade" }),
  open: integer("open").notNull().default(0),
  in_progress: integer("in_progress").notNull().default(0),
  waiting_for_customer: integer("waiting_for_customer").notNull().default(0),
  resolved: integer("resolved").notNull().default(0),
  closed: integer("closed").notNull().default(0),
  closed_after_resolved: integer("closed_after_resolved").notNull().default(0),
  file_bytes: integer("file_bytes").notNull().default(0),
});
