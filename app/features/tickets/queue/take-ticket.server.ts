import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { changeTicket } from "../change-ticket.server";
import { assignmentChange } from "../changes/assign-ticket.server";
import { findTicketForStaff } from "../queries.server";

/** Gives a ticket that nobody has to the person who takes it. The first one gets it. */
export const takeTicket = (
  ctx: Ctx,
  { userId, fullName }: SignedIn,
  { ticketId, nonce }: { ticketId: string; nonce: string },
): Promise<Result<string, "ticket_not_found" | "has_owner" | "changed_since">> =>
  changeTicket<"has_owner">(
    ctx,
    { userId, fullName, side: "staff" },
    {
      find: () => findTicketForStaff(ctx.db, ticketId),
      scope: "ticket-take",
      // All rows of a page share a token.
      key: `${nonce}:${ticketId}`,
      choice: userId,
      plan: (ticket) => {
        if (ticket.assignee?.id === userId) return ok(null);
        return ticket.assignee ? fail("has_owner") : ok(assignmentChange(ticket, { id: userId, name: fullName }));
      },
    },
  );
