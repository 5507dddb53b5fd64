import type { Actor } from "~/access/model";
import { QUEUE_LENGTH, readQueue } from "~/features/submissions/queue.server";
import { readTicketQueue } from "~/features/tickets/queue.server";
import type { CappedCount } from "~/lib/capped-count";
import type { QueueOwner, WaitingQueue } from "~/lib/waiting";
import type { Ctx } from "~/platform/context.server";

const sum = (one: CappedCount, other: CappedCount): CappedCount => ({
  count: one.count + other.count,
  isMore: one.isMore || other.isMore,
});

/** Reads who waits for an answer, whatever they have sent, the first promise first, in one round trip. */
export async function readWaiting(
  ctx: Pick<Ctx, "db" | "now">,
  actor: Pick<Actor, "userId">,
  owner: QueueOwner,
): Promise<WaitingQueue> {
  const [requests, tickets] = await Promise.all([readQueue(ctx, actor, owner), readTicketQueue(ctx, actor, owner)]);
  const nexts = [...(requests.counts.all.count > 0 ? [requests.next] : []), ...(tickets.next ? [tickets.next] : [])];
  return {
    items: [...requests.items, ...tickets.items]
      .toSorted((one, other) => one.due.dueAt - other.due.dueAt)
      .slice(0, QUEUE_LENGTH),
    counts: {
      all: sum(requests.counts.all, tickets.counts.all),
      me: sum(requests.counts.me, tickets.counts.me),
      none: sum(requests.counts.none, tickets.counts.none),
    },
    late: sum(requests.late, tickets.late),
    next: nexts.toSorted((one, other) => one.dueAt - other.dueAt)[0] ?? requests.next,
  };
}
