import type { MemberActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { viewerOf } from "../conversation/reply-as-client.server";
import { endCopies } from "../copies/end-copies.server";
import { CATEGORY_NONE, PRIORITY_LABELS } from "../copy";
import { mayChangeAsClient, type TicketActor, type TicketPriority } from "../model";
import { findTicketForClient, findTicketForStaff, type StoredTicket } from "../queries.server";

type PriorityInput = {
  ticketId: string;
  priority: TicketPriority;
  /** Says why, for the client to read. */
  reason: string;
  nonce: string;
};

/** Changes the priority of a ticket and with it what is promised. The client reads why. */
export const changePriority = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, priority, reason, nonce }: PriorityInput,
): Promise<Result<string, "ticket_not_found" | "changed_since" | "unchanged">> =>
  changeTicket<"unchanged">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-priority",
    key: `${nonce}:${ticketId}`,
    choice: priority,
    plan: (ticket, last) => {
      // The same form that arrives again did change it.
      if (ticket.priority === priority) return last === priority ? ok(null) : fail("unchanged");
      return ok({
        set: { priority },
        promise: [{ type: "priority-changed", at: ctx.now(), to: priority }],
        events: [{ kind: "priority", from: ticket.priority, to: priority, reason }],
        audit: [{ action: "ticket.priority_changed", meta: { from: ticket.priority, to: priority, reason } }],
        label: `${PRIORITY_LABELS[priority]} priority`,
      });
    },
  });

/** Returns the change that another category is. */
export const categoryChange = (
  { category: former }: Pick<StoredTicket, "category">,
  category: string | null,
): TicketChange => ({
  set: { category },
  events: [{ kind: "category", from: former, to: category }],
  audit: [{ action: "ticket.category_changed", meta: { from: former ?? "none", to: category ?? "none" } }],
  label: category ?? CATEGORY_NONE,
});

type PrivacyInput = { ticketId: string; isPrivate: boolean; nonce: string };

/**
 * Hides a ticket from colleagues, or shows it to them again. Its creator decides, and admins of the organization; the
 * people on it, and admins, see it in any case. Its copies end when it is hidden, because each mail quotes what came
 * before.
 */
export function setPrivacy(
  ctx: Ctx,
  actor: MemberActor,
  { ticketId, isPrivate, nonce }: PrivacyInput,
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "changed_since">> {
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "client" };
  const client = { userId: actor.userId, role: actor.membership.role };
  return changeTicket<"not_allowed">(ctx, by, {
    find: () => findTicketForClient(ctx.db, ticketId, viewerOf(actor)),
    scope: "ticket-privacy",
    key: `${nonce}:${ticketId}`,
    choice: String(isPrivate),
    plan: (ticket) => {
      if (!mayChangeAsClient(client, { createdBy: ticket.creator.id })) return fail("not_allowed");
      if (ticket.isPrivate === isPrivate) return ok(null);
      const words = (hidden: boolean) => (hidden ? "private" : "shared");
      return ok({
        set: { is_private: isPrivate },
        statements: isPrivate ? endCopies(ctx, ticket.id) : [],
        events: [{ kind: "privacy", from: words(ticket.isPrivate), to: words(isPrivate) }],
        audit: [{ action: isPrivate ? "ticket.made_private" : "ticket.made_shared" }],
        label: isPrivate ? "Private" : "Shared",
      });
    },
  });
}
