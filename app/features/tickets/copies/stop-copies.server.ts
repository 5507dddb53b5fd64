import { eq } from "drizzle-orm";
import * as z from "zod";
import { commit } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-copies";
import { mailboxOf } from "~/lib/email";
import { type ActionResult, badRequest, notFound, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { readStopCopies } from "./token.server";

const copyOf = ({ config, request }: Pick<Ctx, "config" | "request">): string | null =>
  readStopCopies(config, request.url.searchParams.get("token") ?? "");

/**
 * Loads the page that ends copies. Opening it ends nothing; it does not name the ticket, because links are passed on.
 */
export function loadStopCopies(ctx: Ctx): ActionResult<{ label: string | null; isDone: boolean }> {
  if (copyOf(ctx) === null) return page({ label: null, isDone: false }, 404);
  return page({ label: "Copies of a ticket", isDone: ctx.request.method === "POST" });
}

/**
 * Ends the copies to an address, also those that wait. The row stays, so that nothing is mailed to its mailbox again;
 * on the ticket nothing changes, because what its owner has chosen is theirs.
 */
async function stopCopies({ db }: Pick<Ctx, "db">, copyId: string): Promise<void> {
  const [copy] = await db.select({ email: ticketCopies.email }).from(ticketCopies).where(eq(ticketCopies.id, copyId));
  if (!copy) return;
  await commit(db, [
    db
      .update(ticketCopies)
      .set({ stopped_mailbox: mailboxOf(copy.email) })
      .where(eq(ticketCopies.id, copyId)),
    db.delete(outbox).where(eq(outbox.copy_id, copyId)),
  ]);
}

/** Ends the copies, for the button of the page and for mail programs, which post without cookies (RFC 8058). */
export const stopCopiesActions = formActions<null, null, null>({
  intentField: null,
  reading: { only: ["List-Unsubscribe"] },
})({
  stop: {
    purpose: null,
    form: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    invalid: badRequest,
    run: async (ctx) => {
      const copyId = copyOf(ctx);
      if (copyId === null) return notFound();
      await stopCopies(ctx, copyId);
      return page(null);
    },
  },
});
