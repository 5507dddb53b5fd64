import { type SQL, sql } from "drizzle-orm";
import { closingTimes, siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { ShortSettings } from "~/features/settings/settings.server";
import type { TicketChange } from "~/features/tickets/change-ticket.server";
import { changeAsSystem, slaEventsOf, statusColumns } from "~/features/tickets/change-ticket.server";
import { STATUS_LABELS } from "~/features/tickets/labels";
import type { TicketStatus } from "~/features/tickets/model";
import type { StoredTicket } from "~/features/tickets/queries.server";
import { afterWorkingDays, type Calendar, nextOpening } from "~/lib/calendar";
import { days, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { changeEach } from "./change-each.server";
import type { JobReport } from "./job";

/** Limits the tickets of each of the four steps of one run; the next run continues. */
const MAX_TICKETS = 25;

/** Says to the client why a ticket was resolved that nobody has worked on. */
const NO_ANSWER =
  "We have not heard from you, so we marked this ticket as resolved. Is something still wrong? Reply, and we go on.";

/** Describes tickets that wait for nothing but the client: who is reminded when, and what follows if nobody answers. */
type Quiet = {
  status: "waiting_for_customer" | "resolved";
  /** Names the column that says since when, which is `sinceOf` of a ticket. */
  since: SQL;
  sinceOf: (ticket: StoredTicket) => Instant | null;
  reminder: "waiting" | "closing";
  /** Counts the days until the reminder; 0: there is none. */
  remindAfter: number;
  /**
   * Counts the days until the end: after the reminder, or of a ticket without one after it fell quiet; 0: it never
   * ends.
   */
  endAfter: number;
  /** Adds days, as they are counted here. */
  add: (since: Instant, count: number) => Instant;
  end: "resolved" | "closed";
};

/** Returns both kinds of quiet tickets. Waiting is counted in working days: nobody is reminded of a weekend. */
function quietTickets(settings: ShortSettings, calendar: Calendar): Quiet[] {
  const { announceAfter, closeAfter } = closingTimes(settings);
  return [
    {
      status: "waiting_for_customer",
      since: sql`waiting_since`,
      sinceOf: ({ waitingSince }) => waitingSince,
      reminder: "waiting",
      remindAfter: settings.remindWaitingAfter,
      endAfter: settings.resolveWaitingAfter,
      add: (since, count) => afterWorkingDays(calendar, nextOpening(calendar, since), count),
      end: "resolved",
    },
    {
      status: "resolved",
      since: sql`resolved_at`,
      sinceOf: ({ resolvedAt }) => resolvedAt,
      reminder: "closing",
      remindAfter: announceAfter,
      endAfter: closeAfter,
      add: (since, count) => since + days(count),
      end: "closed",
    },
  ];
}

/**
 * Reminds clients of tickets that wait for them, and resolves those that nobody answers; announces the closing of
 * resolved tickets, and closes them. Each step happens once, counted from the one before: nothing ends unannounced
 * because a run was missed.
 */
export async function endQuietTickets(ctx: Ctx): Promise<JobReport> {
  const settings = await getSettings(ctx.db);
  const calendar = siteCalendar(settings);
  const due: { id: string; quiet: Quiet }[] = [];
  let more = false;
  for (const quiet of quietTickets(settings, calendar)) {
    const found = await Promise.all([findToRemind(ctx, quiet), findToEnd(ctx, quiet)]);
    more ||= found.some((ids) => ids.length === MAX_TICKETS);
    due.push(...found.flat().map(({ id }) => ({ id, quiet })));
  }
  const { count, done, error } = await changeEach(ctx, due, ({ id, quiet }) =>
    changeAsSystem(ctx, id, (ticket) => nextStep(quiet, ticket, ctx.now())),
  );
  if (error) throw error;
  return { count, more: (more && count > 0) || done.length < due.length };
}

type Found = Promise<{ id: string }[]>;

const findToRemind = async (ctx: Pick<Ctx, "db" | "now">, { status, since, remindAfter }: Quiet): Found =>
  remindAfter === 0
    ? []
    : ctx.db.all(sql`SELECT id FROM support_tickets WHERE status = ${sql.raw(`'${status}'`)} AND reminded_at IS NULL
        AND ${since} <= ${ctx.now() - days(remindAfter)} ORDER BY ${since} LIMIT ${MAX_TICKETS}`);

async function findToEnd(ctx: Pick<Ctx, "db" | "now">, { status, since, remindAfter, endAfter }: Quiet): Found {
  if (endAfter === 0) return [];
  const before = ctx.now() - days(endAfter);
  const unannounced = remindAfter === 0 ? sql` OR (reminded_at IS NULL AND ${since} <= ${before})` : sql``;
  return ctx.db.all(sql`SELECT id FROM support_tickets WHERE status = ${sql.raw(`'${status}'`)}
    AND (reminded_at <= ${before}${unannounced}) ORDER BY ${since} LIMIT ${MAX_TICKETS}`);
}

/** Returns what time has come for on a ticket, by what is stored of it now. */
function nextStep(quiet: Quiet, ticket: StoredTicket, now: Instant): TicketChange | null {
  const { reminder, remindAfter, endAfter, add, end } = quiet;
  const since = quiet.sinceOf(ticket);
  if (ticket.status !== quiet.status || since === null) return null;
  const { remindedAt } = ticket;
  if (remindAfter > 0 && remindedAt === null)
    return add(since, remindAfter) > now
      ? null
      : {
          set: { reminded_at: now },
          events: [{ kind: "reminded", to: reminder }],
          audit: [],
          announcement: { reminded: reminder },
          label: "The client was reminded",
        };
  if (endAfter === 0 || add(remindedAt ?? since, endAfter) > now) return null;
  return ending(ticket, { to: end, at: now });
}

function ending(ticket: StoredTicket, { to, at }: { to: "resolved" | "closed"; at: Instant }): TicketChange {
  const from: TicketStatus = ticket.status;
  const isResolved = to === "resolved";
  return {
    set: { ...statusColumns(ticket, { to, at }), ...(isResolved ? { resolution: NO_ANSWER } : {}) },
    promise: slaEventsOf(from, { to, at, by: "system" }),
    events: [{ kind: "status", from, to, reason: isResolved ? NO_ANSWER : null }],
    audit: [{ action: "ticket.status_changed", meta: { from, to } }],
    announcement: { statusBefore: from, ...(isResolved ? { resolution: NO_ANSWER } : {}) },
    label: STATUS_LABELS[to],
  };
}
