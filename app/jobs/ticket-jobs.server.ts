import { eq, type SQL, sql } from "drizzle-orm";
import { isTransient } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { closingTimes, siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { ShortSettings } from "~/features/settings/settings.server";
import { moveReplyTimes } from "~/features/submissions/changes.server";
import { changeAsSystem, slaEventsOf, statusColumns, type TicketChange } from "~/features/tickets/change-ticket.server";
import { TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import { asStaff, type TicketStatus } from "~/features/tickets/model";
import { insertTicket, ONBOARDING } from "~/features/tickets/opening/open-ticket.server";
import type { StoredTicket } from "~/features/tickets/queries.server";
import { slaStateOf } from "~/features/tickets/sla/clock";
import type { RunningTarget } from "~/features/tickets/sla/due-times";
import { HAS_RUNNING_CLOCK, isCountedOtherwise, recordMoved } from "~/features/tickets/sla/targets.server";
import { afterWorkingDays, type Calendar, nextOpening } from "~/lib/calendar";
import { describeError } from "~/lib/errors";
import { days, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type JobReport, OtherRunError } from "./job";

/**
 * One that fails is logged and keeps no other waiting: it would come first in every run. `done`: those that had their
 * turn, all unless the run's share was used up.
 */
async function changeEach<Ticket extends { id: string }>(
  ctx: Pick<Ctx, "budget" | "log">,
  tickets: readonly Ticket[],
  change: (ticket: Ticket) => Promise<boolean>,
): Promise<{ count: number; done: readonly Ticket[]; error: Error | null }> {
  let count = 0;
  let failed: Error | null = null;
  for (const [index, ticket] of tickets.entries()) {
    if (index > 0 && ctx.budget.isUsedUp()) return { count, done: tickets.slice(0, index), error: failed };
    try {
      if (await change(ticket)) count += 1;
    } catch (error) {
      // Without a database nothing else works either, nor beside another run.
      if (isTransient(error) || error instanceof OtherRunError) throw error;
      ctx.log("error", { event: "ticket_not_changed", object_id: ticket.id, error: describeError(error) });
      failed = error instanceof Error ? error : new Error(String(error));
    }
  }
  return { count, done: tickets, error: failed };
}

const MAX_TICKETS = 25;
const ATTEMPTS = 5;

export async function moveClocks(ctx: Ctx): Promise<JobReport> {
  const settings = await getSettings(ctx.db);
  const { clocksToMove } = settings;
  if (!clocksToMove) return { count: 0 };
  const calendar = siteCalendar(settings);
  const answers = clocksToMove.doneUpTo === 0 ? await moveReplyTimes(ctx.db, calendar, ctx.now()) : 0;
  const found = await ctx.db.all<{ id: string; rank: number }>(sql`
    SELECT t.id, t.opened_rank AS rank FROM support_tickets t INDEXED BY active_tickets_in_order
    WHERE ${HAS_RUNNING_CLOCK} AND t.opened_rank > ${clocksToMove.doneUpTo} ORDER BY t.opened_rank LIMIT ${MAX_TICKETS}`);
  const { count, done, error } = await changeEach(ctx, found, ({ id }) => moveClock(ctx, id, calendar));
  const more = found.length === MAX_TICKETS || done.length < found.length;
  await recordMoved(ctx.db, clocksToMove, more ? (done.at(-1)?.rank ?? 0) : null);
  if (error) throw error;
  return { count: count + answers, more };
}

async function moveClock(ctx: Ctx, id: string, calendar: Calendar): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let isOther = false;
    const moved = await changeAsSystem(ctx, id, ({ sla, priority }) => {
      isOther = isCountedOtherwise(slaStateOf(sla.json, priority), calendar);
      if (!isOther) return null;
      return { sla: [{ type: "calendar-changed", at: ctx.now() }], audit: [], label: "Counted by new hours" };
    });
    if (moved || !isOther) return moved;
  }
  throw new Error("A ticket was changed by others too often");
}

/** When three quarters of a promised time have passed, and all of it: each once. A missed promise is judged here. */
export async function notifyOfTargets(ctx: Ctx): Promise<JobReport> {
  const now = ctx.now();
  const [missed, near] = await Promise.all([
    ctx.db.all<{ id: string }>(
      sql`SELECT id FROM support_tickets WHERE miss_at < ${now} ORDER BY miss_at LIMIT ${MAX_TICKETS}`,
    ),
    ctx.db.all<{ id: string }>(
      sql`SELECT id FROM support_tickets WHERE warn_at <= ${now} ORDER BY warn_at LIMIT ${MAX_TICKETS}`,
    ),
  ]);
  const ids = [...new Set([...missed, ...near].map(({ id }) => id))].slice(0, MAX_TICKETS);
  const due = ids.map((id) => ({ id }));
  const { count, done, error } = await changeEach(ctx, due, ({ id }) =>
    changeAsSystem(ctx, id, (ticket) => slaChange(ticket, now)),
  );
  if (error) throw error;
  return { count, more: ids.length === MAX_TICKETS || done.length < due.length };
}

function slaChange({ sla, priority }: StoredTicket, at: Instant): TicketChange | null {
  const { missAt, warnAt } = sla;
  const { running, resolution } = slaStateOf(sla.json, priority);
  if (missAt !== null && missAt < at) {
    const of = isMissed(running, at) ? undefined : "resolution";
    return {
      sla: [{ type: "miss-told", at, of }],
      audit: [],
      notification: { sla: of ? "resolution_missed" : "missed" },
      label: "The promised time has passed",
    };
  }
  if (warnAt === null || warnAt > at) return null;
  const of = isNear(running, at) ? undefined : "resolution";
  const near = of ? resolution : running;
  return {
    sla: [{ type: "warned", at, of }],
    events: [{ kind: "promise_warned", from: near?.kind, to: String(near?.dueAt) }],
    audit: [],
    notification: { sla: of ? "resolution_near" : "near" },
    label: "The promised time is near",
  };
}

const isMissed = (sla: RunningTarget | null, at: Instant): boolean =>
  sla !== null && !sla.missTold && sla.dueAt !== null && sla.dueAt < at;

const isNear = (sla: RunningTarget | null, at: Instant): boolean =>
  sla !== null && sla.warnAt !== null && sla.warnAt <= at;

/** Opens the first ticket of clients that were made of a request, once their owner has accepted the invitation. */
export async function openOnboardings(ctx: Ctx): Promise<JobReport> {
  const accepted = await ctx.db.all<{ id: string; ownerId: string; makerId: string; maker: string }>(sql`
    SELECT o.id, u.id AS ownerId, maker.id AS makerId, maker.full_name AS maker
    FROM organizations o INDEXED BY organizations_to_onboard
    CROSS JOIN organization_memberships m ON m.organization_id = o.id AND m.role = 'owner' AND m.status = 'active'
    CROSS JOIN users u ON u.id = m.user_id AND u.status = 'active'
    CROSS JOIN users maker ON maker.id = coalesce(
      (SELECT e.actor_id FROM contact_submissions s JOIN submission_events e ON e.submission_id = s.id
        JOIN user_roles r ON r.user_id = e.actor_id AND r.role <> 'user'
        JOIN users a ON a.id = e.actor_id AND a.status = 'active'
        WHERE s.organization_id = o.id AND e.made_client = 1 AND e.at = o.created_at LIMIT 1),
      (SELECT r.user_id FROM user_roles r JOIN users a ON a.id = r.user_id AND a.status = 'active'
        WHERE r.role = 'admin' LIMIT 1))
    WHERE o.onboarding_due_since > ${ctx.now() - ONBOARDING_WITHIN} GROUP BY o.id LIMIT ${MAX_TICKETS}`);
  const { count, done, error } = await changeEach(ctx, accepted, async ({ id, ownerId, makerId, maker }) => {
    const opened = await insertTicket(ctx, asStaff({ userId: makerId, fullName: maker }), {
      ...{ ...ONBOARDING, priority: "medium", category: null, impact: null },
      ...{ organizationId: id, requester: { userId: ownerId }, nonce: `onboarding:${id}` },
      extra: () => [ctx.db.update(organizations).set({ onboarding_due_since: null }).where(eq(organizations.id, id))],
    });
    return opened.ok;
  });
  if (error) throw error;
  return { count, more: accepted.length === MAX_TICKETS || done.length < accepted.length };
}

/** Whoever accepts later than this has been a client for long. */
const ONBOARDING_WITHIN = days(60);

const NO_ANSWER =
  "We have not heard from you, so we marked this ticket as resolved. Is something still wrong? Reply, and we go on.";

/** Describes tickets that wait for nothing but the client: who is reminded when, and what follows if nobody answers. */
type Quiet = {
  status: "waiting_for_customer" | "resolved";
  since: SQL;
  sinceOf: (ticket: StoredTicket) => Instant | null;
  reminder: "waiting" | "closing";
  remindAfter: number;
  /** After the reminder, or of a ticket without one after it fell quiet; 0: it never ends. */
  endAfter: number;
  add: (since: Instant, count: number) => Instant;
  end: "resolved" | "closed";
};

/** Waiting is counted in working days: nobody is reminded of a weekend. */
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

/** Each step happens once, counted from the one before: nothing ends unannounced because a run was missed. */
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
          notification: { reminded: reminder },
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
    sla: slaEventsOf(from, { to, at, by: "system" }),
    events: [{ kind: "status", from, to, reason: isResolved ? NO_ANSWER : null }],
    audit: [{ action: "ticket.status_changed", meta: { from, to } }],
    notification: { statusBefore: from, ...(isResolved ? { resolution: NO_ANSWER } : {}) },
    label: TICKET_STATUS_LABELS[to],
  };
}
