import type { MemberActor } from "~/features/auth/guards.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { changeTicket, type TicketChange } from "../change-ticket.server";
import { messageStatements } from "../conversation/message-statement.server";
import { viewerOf } from "../conversation/reply-as-client.server";
import { STATUS_LABELS } from "../copy";
import { type ClientTransition, clientTransitions, mayChangeAsClient, STATUS_AFTER, type TicketActor } from "../model";
import { findTicketForClient, type StoredTicket } from "../queries.server";
import { confirms, findVote, voteStatement } from "../solved/votes.server";
import { promiseEventsOf, statusColumns } from "./status-change.server";

type ClientMoveInput = {
  ticketId: string;
  move: ClientTransition;
  /** Says what is still broken, or what the client wants to say at the end; null: nothing. */
  message: string | null;
  nonce: string;
};

/**
 * Returns the change that a client makes who says that a ticket is solved. What staff have done before is not told
 * again.
 */
export function resolvedByClient(ticket: StoredTicket, at: Instant): TicketChange {
  const { status } = ticket;
  return {
    set: { ...statusColumns(ticket, { to: "resolved", at }), resolution: null },
    promise: promiseEventsOf(status, { to: "resolved", at, by: "client" }),
    events: [{ kind: "status", from: status, to: "resolved" }],
    audit: [{ action: "ticket.status_changed", meta: { from: status, to: "resolved" } }],
    announcement: { statusBefore: status },
    label: STATUS_LABELS.resolved,
  };
}

/**
 * Moves a ticket as its client may: solved, closed, or opened again. Colleagues who only see it, and statuses that do
 * not lead there, are rejected. Where it has that status already, nothing is written, but the first time that whoever
 * is asked confirms what staff have resolved.
 */
export function changeStatusAsClient(
  ctx: Ctx,
  actor: MemberActor,
  { ticketId, move, message, nonce }: ClientMoveInput,
): Promise<Result<string, "ticket_not_found" | "not_allowed" | "changed_since">> {
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "client" };
  const client = { userId: actor.userId, role: actor.membership.role };
  const to = STATUS_AFTER[move];
  const messageId = ctx.newId("msg");
  return changeTicket<"not_allowed">(ctx, by, {
    find: () => findTicketForClient(ctx.db, ticketId, viewerOf(actor)),
    scope: "ticket-move",
    key: `${nonce}:${ticketId}`,
    choice: move,
    plan: async (ticket) => {
      const at = ctx.now();
      const { status } = ticket;
      const described = { ...ticket, createdBy: ticket.creator.id };
      const allowed = clientTransitions(client, described, at);
      if (status === to && message === null) {
        const { userId } = actor;
        const isAsked = move === "solved" && ticket.resolution !== null;
        const isNew = isAsked && !confirms(await findVote(ctx.db, { ticketId: ticket.id, userId }), ticket);
        if (!isNew || !mayChangeAsClient(client, described)) return ok(null);
        return ok({
          statements: [voteStatement(ctx.db, { ticket, userId, isSolved: true, comment: "", at })],
          events: [{ kind: "vote", to: "solved" }],
          audit: [],
          label: "Solved, says the client",
        });
      }
      if (!allowed.includes(move)) return fail("not_allowed");
      const written = message === null ? null : { id: messageId, text: message };
      const { id, organization } = ticket;
      return ok({
        set: { ...statusColumns(ticket, { to, at }), ...(move === "solved" ? { resolution: null } : {}) },
        promise: [
          ...promiseEventsOf(status, { to, at, by: "client" }),
          ...(written && move === "reopen" ? [{ type: "client-message" as const, at }] : []),
        ],
        events: [{ kind: "status", from: status, to }],
        statements: written
          ? messageStatements(ctx, by, { ...written, ticketId: id, organizationId: organization.id })
          : [],
        audit: [
          { action: "ticket.status_changed", meta: { from: status, to } },
          ...(written ? [{ action: "ticket.replied" as const, meta: { message: written.id } }] : []),
        ],
        announcement: {
          statusBefore: status,
          ...(written ? { message: { ...written, isInternal: false } } : {}),
        },
        label: STATUS_LABELS[to],
      });
    },
  });
}
