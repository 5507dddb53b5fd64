import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { TICKET_PRIORITIES } from "../../lib/ticket-words";
import { organizations } from "./organizations";
import { tickets } from "./tickets";

/**
 * Holds what figures are counted from: one row for each thing that happened to a ticket, on the day of the site's time
 * zone on which it counts. The rows that a number leads to are these. Derived from the ticket by the job
 * `count-figures`, and derived again whenever the ticket changes. See `features/analytics/facts`.
 */
export const ticketFacts = sqliteTable(
  "ticket_facts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    ticket_id: text("ticket_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    /** Names the organization whose ticket it is now. */
    organization_id: text("organization_id").notNull(),
    kind: text("kind", {
      enum: ["created", "answered", "resolved", "reopened", "kept", "missed", "good", "bad", "backlog"],
    }).notNull(),
    /** Names the day in the site's time zone, `YYYY-MM-DD`. */
    day: text("day").notNull(),
    at: integer("at").notNull(),
    /** Names the priority that was chosen first. */
    priority: text("priority", { enum: TICKET_PRIORITIES }).notNull(),
    /**
     * Counts the milliseconds of open time until the first reply, by the calendar that was in force at the creation.
     */
    open_time: integer("open_time"),
    /**
     * Counts the milliseconds of calendar time: until the first reply, until it was resolved, until it was reopened,
     * or how late.
     */
    total_time: integer("total_time"),
    /** Counts the milliseconds of `total_time` in which we waited for the client. */
    paused_time: integer("paused_time"),
    /** Names the day on which it was resolved again: of several in a period, the last one counts. */
    again_on: text("again_on"),
    /**
     * Holds what else is known, by kind:
     * - `created`: the status now
     * - `kept`, `missed`: which promise it was
     * - `resolved`: the resolution before it, as JSON
     * - `backlog`: by how much the number of each of its four ages changes, as JSON
     */
    detail: text("detail"),
  },
  (table) => [
    index("facts_of_ticket").on(table.ticket_id),
    index("facts_of_kind").on(table.kind, table.day, table.id),
    index("facts_of_organization").on(table.organization_id, table.kind, table.day, table.id),
    index("facts_of_organization_by_day").on(table.organization_id, table.day),
  ],
);

/** Lists the tickets whose facts are to be derived again. Triggers fill it; `changes` tells a later change apart. */
export const ticketsToCount = sqliteTable("tickets_to_count", {
  number: integer("number").primaryKey(),
  changes: integer("changes").notNull().default(1),
});

/** Lists the days whose figures are to be added up again, because a ticket that counted on them is gone. */
export const daysToCount = sqliteTable(
  "days_to_count",
  { organization_id: text("organization_id").notNull(), day: text("day").notNull() },
  (table) => [primaryKey({ columns: [table.organization_id, table.day] })],
);

/**
 * Holds the figures of a day: of each organization on which something counts, and of all of them together, whose
 * `organization_id` is empty. What is ranked or added up in SQL is a column, everything else is in `counts`.
 */
export const dailyFigures = sqliteTable(
  "daily_figures",
  {
    organization_id: text("organization_id").notNull(),
    day: text("day").notNull(),
    created: integer("created").notNull().default(0),
    answered: integer("answered").notNull().default(0),
    kept: integer("kept").notNull().default(0),
    missed: integer("missed").notNull().default(0),
    /** Holds by how much the number of active tickets at the end of the day changes, by age: see `BACKLOG_AGES`. */
    backlog_0: integer("backlog_0").notNull().default(0),
    backlog_1: integer("backlog_1").notNull().default(0),
    backlog_2: integer("backlog_2").notNull().default(0),
    backlog_3: integer("backlog_3").notNull().default(0),
    /** Holds every count of the day, histograms too, as a JSON object: see `features/analytics/facts/counts.ts`. */
    counts: text("counts").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.day] }),
    index("figures_by_day").on(table.day, table.organization_id),
  ],
);

/**
 * Holds by how much the days of a month, `YYYY-MM`, change the backlog of each age: what was active at the end of a day
 * is a sum of months, and of days of the last one. Triggers of `daily_figures` maintain it.
 */
export const backlogMonths = sqliteTable(
  "backlog_months",
  {
    organization_id: text("organization_id").notNull(),
    month: text("month").notNull(),
    backlog_0: integer("backlog_0").notNull().default(0),
    backlog_1: integer("backlog_1").notNull().default(0),
    backlog_2: integer("backlog_2").notNull().default(0),
    backlog_3: integer("backlog_3").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.month] })],
);

/** Holds what organizations did in each range that ends today, so that the first ten are ten rows. */
export const rangeFigures = sqliteTable(
  "range_figures",
  {
    /** Holds the length in days. */
    range: integer("range").notNull(),
    organization_id: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    created: integer("created").notNull(),
    answered: integer("answered").notNull(),
    kept: integer("kept").notNull(),
    missed: integer("missed").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.range, table.organization_id] }),
    index("ranked_organizations").on(table.range, table.created, table.organization_id),
    index("ranges_of_organization").on(table.organization_id),
  ],
);

/** Holds which calendar was in force since when, as the job found it: open hours, days off, time zone. */
export const calendarsInForce = sqliteTable("calendars_in_force", {
  since: integer("since").primaryKey(),
  calendar: text("calendar").notNull(),
});
