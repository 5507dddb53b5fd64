import * as z from "zod";
import type { Actor } from "~/access/model";
import type { StaffActor } from "~/features/auth/guards.server";
import { HAS_OWNER } from "~/features/submissions/labels";
import { QUEUE_LENGTH, queueActions, readQueue } from "~/features/submissions/queue.server";
import { takeTicket } from "~/features/tickets/commands.server";
import { TICKET_ASSIGNED, TICKET_NOT_ASSIGNED } from "~/features/tickets/labels";
import { readTicketQueue } from "~/features/tickets/queue.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { FormAnswer } from "~/lib/form";
import type { CappedCount } from "~/lib/numbers";
import { type QueueOwner, queueOwner, queuePath, type WaitingQueue } from "~/lib/waiting";
import type { Ctx } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { done, invalid } from "~/platform/responses.server";

const sum = (one: CappedCount, other: CappedCount): CappedCount => ({
  count: one.count + other.count,
  isMore: one.isMore || other.isMore,
});

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

const NOT_TAKEN_BECAUSE = { has_owner: HAS_OWNER, changed_since: CHANGED_SINCE, ticket_not_found: TICKET_NOT_ASSIGNED };

const TakeForm = z.object({
  id: z.string().regex(/^tkt_[a-z0-9_]{1,60}$/i),
  own: z
    .string()
    .optional()
    .transform((text) => queueOwner(text ?? null)),
});

export const waitingActions = formActions<StaffActor, null, FormAnswer>()({
  ...queueActions.actions,
  take_ticket: {
    ability: "ticket.handle",
    failed: TICKET_NOT_ASSIGNED,
    purpose: queueActions.actions.take.purpose,
    form: TakeForm,
    invalid: (problem) => invalid({ rejection: reasonOf(problem, TICKET_NOT_ASSIGNED) }),
    run: async (ctx, actor, { input: { id, own }, nonce }) => {
      const taken = await takeTicket(ctx, actor, { ticketId: id, nonce });
      if (!taken.ok) return invalid({ rejection: NOT_TAKEN_BECAUSE[taken.code] });
      return done({ to: `${queuePath(own)}#${id}`, flash: { kind: "success", ...TICKET_ASSIGNED } });
    },
  },
});
