import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { UNASSIGNED } from "../copy";
import type { TicketActor } from "../model";
import { findTicketForStaff, type StoredTicket } from "../queries.server";

type Assignment = {
  ticketId: string;
  /** Holds the id of the new assignee; null: nobody. */
  assigneeId: string | null;
  nonce: string;
};

/** Gives a ticket to a member of staff, or takes it away from everybody. The last write wins. */
export function assignTicket(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, assigneeId, nonce }: Assignment,
): Promise<Result<string, "ticket_not_found" | "assignee_not_staff" | "changed_since" | "unchanged">> {
  const choice = assigneeId ?? "";
  return changeTicket<"assignee_not_staff" | "unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-assign",
    key: `${nonce}:${ticketId}`,
    choice,
    plan: async (ticket, last) => {
      // The same form that arrives again did change it.
      if (assigneeId === (ticket.assignee?.id ?? null)) return last === choice ? ok(null) : fail("unchanged");
      const assignee = assigneeId === null ? null : (await listStaff(ctx.db)).find(({ id }) => id === assigneeId);
      return assignee === undefined ? fail("assignee_not_staff") : ok(assignmentChange(ticket, assignee));
    },
  });
}

/** Returns the change that an assignment is, for one ticket or for each of many. */
export const assignmentChange = (
  { assignee: former }: Pick<StoredTicket, "assignee">,
  assignee: { id: string; name: string } | null,
): TicketChange => ({
  set: { assigned_to: assignee?.id ?? null },
  events: [{ kind: "assignee", from: former?.name, to: assignee?.name }],
  audit: [
    {
      action: "ticket.assigned",
      meta: {
        from: former?.name ?? UNASSIGNED,
        to: assignee?.name ?? UNASSIGNED,
        people: { from: former?.id, to: assignee?.id },
      },
    },
  ],
  announcement: assignee ? { assigned: assignee } : undefined,
  label: assignee ? `Assigned to ${assignee.name}` : "Unassigned",
});
