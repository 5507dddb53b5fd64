import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { staffReplyChange } from "../conversation/reply-as-staff.server";
import type { TicketActor, TicketStatus } from "../model";
import { findTicketForStaff, type StoredTicket } from "../queries.server";

type StatusInput = { ticketId: string; status: TicketStatus; nonce: string };

/**
 * Moves a ticket to any status but resolved, which says what was done: `resolveTicket`. The last write wins, and every
 * move stays in the history. A ticket that has the status already is left as it is.
 */
export async function changeStatus(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, status, nonce }: StatusInput,
): Promise<Result<string, "ticket_not_found" | "resolution_missing">> {
  return changeTicket<"resolution_missing">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-status",
    key: `${nonce}:${status}`,
    plan: (ticket) => {
      if (status === ticket.status) return ok(null);
      if (status === "resolved") return fail("resolution_missing");
      return ok(statusChange(ctx, by, { ticket, status }));
    },
  });
}

type StatusMove = { ticket: StoredTicket; status: Exclude<TicketStatus, "resolved"> };

/** Returns the change that a move to a status is, for one ticket or for each of many. */
export const statusChange = (ctx: Ctx, by: TicketActor, { ticket, status }: StatusMove): TicketChange =>
  staffReplyChange(ctx, by, { ticket, message: null, to: status });

type Resolving = { ticketId: string; resolution: string; nonce: string };

/** Resolves a ticket and says to the client what was done. A resolved one gets the new text. */
export const resolveTicket = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, resolution, nonce }: Resolving,
): Promise<Result<string, "ticket_not_found">> =>
  changeTicket<never>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-resolve",
    key: nonce,
    plan: (ticket) => ok(staffReplyChange(ctx, by, { ticket, message: null, to: "resolved", resolution })),
  });
