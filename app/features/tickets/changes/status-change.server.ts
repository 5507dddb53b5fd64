import type { tickets } from "~/db/schema/tickets";
import type { Instant } from "~/lib/time";
import { isActive, type TicketActor, type TicketStatus } from "../model";
import type { PromiseEvent } from "../promise-step.server";

type Before = { status: TicketStatus; resolvedAt: Instant | null };
type Move = { to: TicketStatus; at: Instant };

/**
 * Returns the columns of a ticket that moves to a status. Closing says when it was resolved, where nobody had; moving
 * back to work clears both times, and what was done, which is no longer true.
 */
export function statusColumns(before: Before, { to, at }: Move): Partial<typeof tickets.$inferInsert> {
  const base = { status: to, reminded_at: null, waiting_since: to === "waiting_for_customer" ? at : null };
  if (to === "resolved") return { ...base, resolved_at: at, closed_at: null };
  if (to === "closed") return { ...base, resolved_at: before.resolvedAt ?? at, closed_at: at };
  return { ...base, resolved_at: null, closed_at: null, resolution: null };
}

/** Returns what the promise clock is told of a move. */
export function promiseEventsOf(
  from: TicketStatus,
  { to, at, by }: Move & { by: TicketActor["side"] },
): PromiseEvent[] {
  if (to === "resolved" || to === "closed") return [{ type: to, at, by }];
  const reopened: PromiseEvent[] = isActive(from) ? [] : [{ type: "reopened", at, by }];
  return to === from ? reopened : [...reopened, { type: "status-changed", at, to }];
}
