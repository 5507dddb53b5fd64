import { isTransient } from "~/db/transient";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "~/platform/context.server";

/**
 * Changes tickets one after the other, and returns how many were changed. One that fails is logged and does not keep
 * the others waiting: it would come first in every run. `error` is what the job throws when all else is done.
 */
export async function changeEach<Ticket extends { id: string }>(
  ctx: Pick<Ctx, "log">,
  tickets: readonly Ticket[],
  change: (ticket: Ticket) => Promise<boolean>,
): Promise<{ count: number; error: Error | null }> {
  let count = 0;
  let failed: Error | null = null;
  for (const ticket of tickets) {
    try {
      if (await change(ticket)) count += 1;
    } catch (error) {
      // Without a database nothing else works either.
      if (isTransient(error)) throw error;
      ctx.log("error", { event: "ticket_not_changed", object_id: ticket.id, error: describeError(error) });
      failed = error instanceof Error ? error : new Error(String(error));
    }
  }
  return { count, error: failed };
}
