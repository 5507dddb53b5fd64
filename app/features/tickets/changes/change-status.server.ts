import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { staffReplyChange } from "../conversation/reply-as-staff.server";
import type { TicketActor, TicketStatus } from "../model";
import { findTicketForStaff, type StoredTicket } from "../queries.server";

type StatusInput = { ticketId: string; status: TicketStatus; nonce: string };

/**
 * Moves a ticket to any status but resolved, which a reply does, because it says what was done. The last write wins,
 * and every move stays in the history. A ticket that has the status already is left as it is.
 */
export async function changeStatus(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, status, nonce }: StatusInput,
): Promise<Result<string, "ticket_not_found" | "resolution_missing" | "changed_since" | "unchanged">> {
  return changeTicket<"resolution_missing" | "unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-status",
    key: `${nonce}:${ticketId}`,
    choice: status,
    plan: (ticket, last) => {
      // The same form that arrives again did change it.
      if (status === ticket.status) return last === status ? ok(null) : fail("unchanged");
      if (status === "resolved") return fail("resolution_missing");
      return ok(statusChange(ctx, by, { ticket, status }));
    },
  });
}

type StatusMove = { ticket: StoredTicket; status: Exclude<TicketStatus, "resolved"> };

/** Returns the change that a move to a status is, for one ticket or for each of many. */
export const statusChange = (ctx: Ctx, by: TicketActor, { ticket, status }: StatusMove): TicketChange =>
  staffReplyChange(ctx, by, { ticket, message: null, to: status });
