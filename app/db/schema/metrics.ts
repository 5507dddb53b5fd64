import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { TICKET_PRIORITIES } from "../../lib/ticket-values";
import { ofOrganization } from "./organizations";
import { tickets } from "./tickets";

/**
 * What is measured of tickets: one row for each thing that counts, on the day of the site's time zone on which it
 * counts. Made by the job from the ticket, and made again when its version has changed. Times in milliseconds.
 */
export const ticketMetrics = sqliteTable(
  "ticket_metrics",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    ticket_id: text("ticket_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    organization_id: text("organization_id").notNull(),
    kind: text("kind", {
      enum: ["created", "answered", "resolved", "reopened", "kept", "missed", "good", "bad", "backlog"],
    }).notNull(),
    /** `YYYY-MM-DD` */
    day: text("day").notNull(),
    at: integer("at").notNull(),
    /** As chosen first. */
    priority: text("priority", { enum: TICKET_PRIORITIES }).notNull(),
    /** Until the first reply, by the calendar that was in force at the creation. */
    open_time: integer("open_time"),
    /** In calendar time: until the first reply, until it was resolved, until it was reopened, or how late. */
    total_time: integer("total_time"),
    /** The part of `total_time` in which we waited for the client. */
    paused_time: integer("paused_time"),
    /** The day on which it was resolved again: of several in a period, the last one counts. */
    again_on: text("again_on"),
    /** Of `created` the status now, of `kept` and `missed` which promise it was. */
    detail: text("detail"),
    /** What it adds to its day, as a JSON object of counts by name. */
    counts: text("counts").notNull().default("{}"),
  },
  (table) => [
    index("metrics_of_ticket").on(table.ticket_id),
    index("metrics_of_kind").on(table.kind, table.day, table.id),
    index("metrics_of_organization").on(table.organization_id, table.kind, table.day, table.id),
    index("metrics_of_organization_by_day").on(table.organization_id, table.day),
  ],
);

/** Days that are to be summed again, because what counted on them has changed. */
export const daysToSum = sqliteTable(
  "days_to_sum",
  { day: text("day").notNull(), organization_id: text("organization_id").notNull() },
  (table) => [primaryKey({ columns: [table.day, table.organization_id] })],
);

/**
 * The sums of a day: of each organization on which something counts, and of all of them together, whose
 * `organization_id` is empty. What is ranked or summed in SQL is a column, everything else is in `counts`.
 */
export const dailyMetrics = sqliteTable(
  "daily_metrics",
  {
    organization_id: text("organization_id").notNull(),
    day: text("day").notNull(),
    created: integer("created").notNull().default(0),
    answered: integer("answered").notNull().default(0),
    kept: integer("kept").notNull().default(0),
    missed: integer("missed").notNull().default(0),
    /** By how much the active tickets at the end of the day change, by age. */
    backlog_0: integer("backlog_0").notNull().default(0),
    backlog_1: integer("backlog_1").notNull().default(0),
    backlog_2: integer("backlog_2").notNull().default(0),
    backlog_3: integer("backlog_3").notNull().default(0),
    /** Every count of the day by name, histograms too, as a JSON object. */
    counts: text("counts").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organization_id, table.day] }),
    index("metrics_by_day").on(table.day, table.organization_id),
  ],
);

/** What organizations did in each range that ends today, so that the first ten are ten rows. */
export const rangeMetrics = sqliteTable(
  "range_metrics",
  {
    /** In days. */
    range: integer("range").notNull(),
    ...ofOrganization(),
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

/** Which calendar was in force since when, as the job found it: open hours, days off, time zone. */
export const calendarsInForce = sqliteTable("calendars_in_force", {
  since: integer("since").primaryKey(),
  calendar: text("calendar").notNull(),
});
