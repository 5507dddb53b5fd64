import { sql } from "drizzle-orm";
import type { TicketChange } from "~/features/tickets/change-ticket.server";
import { changeAsSystem } from "~/features/tickets/change-ticket.server";
import type { StoredTicket } from "~/features/tickets/queries.server";
import type { RunningTarget } from "~/features/tickets/sla/clock";
import { slaStateOf } from "~/features/tickets/sla/state";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { changeEach } from "./change-each.server";
import type { JobReport } from "./job";

/** Limits the tickets of one run; the next one continues. */
const MAX_TICKETS = 25;

/**
 * Tells whoever has a ticket, or all staff if nobody has it, that three quarters of a promised time have passed, and
 * that all of it has: each once. A promise that is missed is judged here, if nothing else has happened since.
 */
export async function notifyOfPromises(ctx: Ctx): Promise<JobReport> {
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
    changeAsSystem(ctx, id, (ticket) => promiseChange(ticket, now)),
  );
  if (error) throw error;
  return { count, more: ids.length === MAX_TICKETS || done.length < due.length };
}

/** Returns what is told of a promise, one at a time. Of one that is missed nobody is warned any more. */
function promiseChange({ promise, priority }: StoredTicket, at: Instant): TicketChange | null {
  const { missAt, warnAt } = promise;
  const { running, resolution } = slaStateOf(promise.json, priority);
  if (missAt !== null && missAt < at) {
    const of = isMissed(running, at) ? undefined : "resolution";
    return {
      promise: [{ type: "miss-told", at, of }],
      audit: [],
      announcement: { promise: of ? "resolution_missed" : "missed" },
      label: "The promised time has passed",
    };
  }
  if (warnAt === null || warnAt > at) return null;
  const of = isNear(running, at) ? undefined : "resolution";
  const near = of ? resolution : running;
  return {
    promise: [{ type: "warned", at, of }],
    events: [{ kind: "promise_warned", from: near?.kind, to: String(near?.dueAt) }],
    audit: [],
    announcement: { promise: of ? "resolution_near" : "near" },
    label: "The promised time is near",
  };
}

const isMissed = (promise: RunningTarget | null, at: Instant): boolean =>
  promise !== null && !promise.missTold && promise.dueAt !== null && promise.dueAt < at;

const isNear = (promise: RunningTarget | null, at: Instant): boolean =>
  promise !== null && promise.warnAt !== null && promise.warnAt <= at;
