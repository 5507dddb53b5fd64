import { isTransient } from "~/db/client.server";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";
import { OtherRunError } from "./job";

/**
 * Changes tickets one after the other, and returns how many were changed. One that fails is logged and does not keep
 * the others waiting: it would come first in every run. `error` is what the job throws when all else is done. `done`
 * are those that had their turn: all, unless the run's share was used up.
 */
export async function changeEach<Ticket extends { id: string }>(
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
