import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changedValues, type FormerValues } from "~/platform/run-command.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { assignmentChange } from "../changes/assign-ticket.server";
import { categoryChange } from "../changes/change-details.server";
import { statusChange } from "../changes/change-status.server";
import type { TicketActor, TicketStatus } from "../model";
import { findTicketForStaff, type StoredTicket } from "../queries.server";

/** Holds what a form says. What its sender has not changed stays as it is at the moment of the commit. */
type Handling = {
  ticketId: string;
  status?: TicketStatus;
  /** Holds the id of the new assignee; null: nobody. */
  assigneeId?: string | null;
  category?: string | null;
  had?: FormerValues;
  nonce: string;
};

type Rejection = "unchanged" | "resolution_missing" | "assignee_not_staff";

/**
 * Saves status, assignee and category of a ticket, all in one batch. The last write wins, for each of the three by
 * itself. What is as it was leaves no trace.
 */
export function saveHandling(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, nonce, had = {}, ...values }: Handling,
): Promise<Result<string, "ticket_not_found" | "changed_since" | Rejection>> {
  const posted = { values, had };
  return changeTicket<Rejection>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-handling",
    key: `${nonce}:${ticketId}`,
    choice: JSON.stringify(posted),
    plan: async (ticket, last) => {
      const changes: TicketChange[] = [];
      const { status, assigneeId, category } = changedValues(posted, last);
      if (status === undefined && assigneeId === undefined && category === undefined) return fail("unchanged");
      if (status !== undefined && status !== ticket.status) {
        if (status === "resolved") return fail("resolution_missing");
        changes.push(statusChange(ctx, by, { ticket, status }));
      }
      if (assigneeId !== undefined && assigneeId !== (ticket.assignee?.id ?? null)) {
        const assignee = await findAssignee(ctx, assigneeId);
        if (assignee === undefined) return fail("assignee_not_staff");
        changes.push(assignmentChange(ticket, assignee));
      }
      if (category !== undefined && category !== ticket.category) changes.push(categoryChange(ticket, category));
      // The same form that arrives again did change it.
      if (changes.length === 0 && last !== JSON.stringify(posted)) return fail("unchanged");
      return ok(together(changes));
    },
  });
}

const findAssignee = async (
  { db }: Pick<Ctx, "db">,
  id: string | null,
): Promise<StoredTicket["assignee"] | undefined> =>
  id === null ? null : (await listStaff(db)).find((person) => person.id === id);

/** Returns several changes of a ticket as one; null for none. */
function together(changes: readonly TicketChange[]): TicketChange | null {
  const [first, ...others] = changes;
  if (!first) return null;
  return others.reduce(
    (all, each) => ({
      set: { ...all.set, ...each.set },
      promise: [...(all.promise ?? []), ...(each.promise ?? [])],
      events: [...(all.events ?? []), ...(each.events ?? [])],
      audit: [...all.audit, ...each.audit],
      statements: [...(all.statements ?? []), ...(each.statements ?? [])],
      announcement: all.announcement || each.announcement ? { ...all.announcement, ...each.announcement } : undefined,
      label: `${all.label}, ${each.label}`,
    }),
    first,
  );
}
