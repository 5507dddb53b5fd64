import { checkFileRoom } from "~/features/attachments/file-quota.server";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import type { StaffActor } from "~/features/auth/guards.server";
import {
  discardDraftStatement,
  keepResolutionStatement,
  messageStatements,
} from "~/features/conversation/messages.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { assignmentChange, changeTicket, slaEventsOf, statusColumns, type TicketChange } from "./change-ticket.server";
import { hasConflict } from "./conflict.server";
import { TICKET_STATUS_LABELS } from "./labels";
import { asStaff, type ReplyEffect, type TicketActor, type TicketStatus } from "./model";
import { listReplyRecipients } from "./notify-ticket.server";
import { findTicketForStaff, type StoredTicket } from "./queries.server";
import { breachedReply, slaStateOf } from "./sla/clock";
import { rememberBefore } from "./undo-reply.server";

type StaffReply = {
  ticketId: string;
  /** Holds the reply; empty only where a resolution says what there is to say. */
  text: string;
  files?: readonly StoredFile[];
  effect: ReplyEffect;
  /** Says what was done, as the client reads it. Only the effect `resolve` sends it, others keep it as a draft. */
  resolution?: string;
  /** Says why the reply comes after its promise; ignored where none was missed. */
  whyLate?: string;
  assignToMe?: boolean;
  /** Holds the ids of those who are left out of its mails. Whoever does not get them anyway is ignored. */
  notTo?: readonly string[];
  baseMessage: number;
  /** Names the status that its author has seen; absent: whatever it is now, the reply is sent. */
  baseStatus?: TicketStatus;
  nonce: string;
};

const STATUS_OF: Record<ReplyEffect, TicketStatus | null> = {
  send: null,
  wait: "waiting_for_customer",
  resolve: "resolved",
};

type ReplyError = "ticket_not_found" | "conflict" | "resolution_missing" | "already_resolved" | "nobody_left";

/**
 * Answers the client, and waits for them or resolves the ticket if asked to. A reply that was begun before somebody
 * else wrote, or before the ticket ended, is not sent until its author has seen that: `conflict`. What is resolved is
 * not resolved again, because the days until it is closed would begin anew. Returns the id of the message, or of the
 * ticket where only a resolution was written; also to a form that arrives twice. A message can be taken back for some
 * seconds. `assignToMe` gives its author a ticket that nobody has at the moment of the commit: whoever was faster keeps
 * it.
 *
 * Where the answer to a form was lost and its author then presses another button, the message is not sent twice: only
 * what that button does besides is done.
 */
export async function replyAsStaff(
  ctx: Ctx,
  actor: StaffActor,
  { text, files, nonce, ...reply }: StaffReply,
): Promise<Result<string, ReplyError>> {
  const resolution = reply.effect === "resolve" ? reply.resolution : "";
  const effectKey = `${nonce}:${reply.effect}:${fingerprintOf(resolution ?? "")}`;
  const hasMessage = text !== "" || (files?.length ?? 0) > 0;
  if (!hasMessage) return change(ctx, actor, { ...reply, message: null, key: effectKey });
  const message = { id: ctx.newId("msg"), text, files };
  const claims = { key: nonce, effectKey: reply.effect === "send" ? undefined : effectKey };
  const sent = await change(ctx, actor, { ...reply, message, resultId: message.id, ...claims });
  if (!sent.ok || sent.value === message.id || reply.effect === "send") return sent;
  return change(ctx, actor, { ...reply, whyLate: undefined, message: null, key: effectKey, resultId: sent.value });
}

type Change = Omit<StaffReply, "text" | "files" | "nonce"> & {
  /** Holds the message; null: there is none, or it was sent before. */
  message: Planned["message"];
  key: string;
  effectKey?: string;
  resultId?: string;
};

const change = (
  ctx: Ctx,
  actor: StaffActor,
  {
    ticketId,
    message,
    effect,
    resolution,
    baseMessage,
    baseStatus,
    key,
    effectKey,
    resultId,
    notTo = [],
    ...rest
  }: Change,
): Promise<Result<string, ReplyError>> => {
  const { userId } = actor;
  const by = asStaff(actor);
  return changeTicket<Exclude<ReplyError, "ticket_not_found">>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-reply",
    key,
    resultId,
    plan: async (ticket) => {
      const isResolving = effect === "resolve";
      if (isResolving && !resolution) return fail("resolution_missing");
      if (!message && !isResolving && ticket.status === STATUS_OF[effect]) return ok(null);
      const refused = await refusalOf(ctx, ticket, { baseMessage, baseStatus, by: userId, isResolving });
      if (refused !== null) return fail(refused);
      const leftOut = await findLeftOut(ctx, { ticketId: ticket.id, userId, notTo });
      if (leftOut === null) return fail("nobody_left");
      await checkFileRoom(ctx, by, { organizationId: ticket.organization.id, files: message?.files });
      const planned = staffReplyChange(ctx, by, {
        ticket,
        message,
        to: STATUS_OF[effect],
        resolution: isResolving ? resolution : undefined,
        notTo: leftOut,
        ...rest,
      });
      if (!message && !isResolving) return ok({ ...planned, statements: [] });
      const kept =
        isResolving || !resolution ? [] : [keepResolutionStatement(ctx, { ticket, userId, whatWasDone: resolution })];
      return ok({
        ...planned,
        alsoKeys: effectKey ? [effectKey] : [],
        statements: [
          rememberBefore(ctx, { ticket, messageId: message?.id ?? ctx.newId("msg"), userId, key }),
          ...(planned.statements ?? []),
          ...(message ? kept : [discardDraftStatement(ctx.db, { ticketId: ticket.id, userId, kind: "reply" })]),
        ],
      });
    },
  });
};

type BaseVersion = Parameters<typeof hasConflict>[2] & { isResolving: boolean };

async function refusalOf({ db }: Ctx, ticket: StoredTicket, { isResolving, ...base }: BaseVersion) {
  if (await hasConflict(db, ticket, base)) return "conflict";
  return isResolving && ticket.status === "resolved" ? "already_resolved" : null;
}

/** Returns those of the named who would get a reply. Null: nobody else would. */
export async function findLeftOut(
  { db }: Pick<Ctx, "db">,
  { ticketId, userId, notTo }: { ticketId: string; userId: string; notTo: readonly string[] },
): Promise<string[] | null> {
  if (notTo.length === 0) return [];
  const recipients = await listReplyRecipients(db, ticketId, userId);
  const named = recipients.map(({ id }) => id).filter((id) => notTo.includes(id));
  return named.length > 0 && named.length === recipients.length ? null : named;
}

type Planned = {
  ticket: StoredTicket;
  message: { id: string; text: string; files?: readonly StoredFile[]; draft?: string } | null;
  to: TicketStatus | null;
  resolution?: string;
} & Pick<StaffReply, "whyLate" | "assignToMe" | "notTo">;

export function staffReplyChange(
  ctx: Ctx,
  by: TicketActor,
  { ticket, message, to, resolution, whyLate, assignToMe, notTo }: Planned,
): TicketChange {
  const at = ctx.now();
  const move = to !== null && to !== ticket.status ? { to, at } : null;
  const { id: ticketId, organization } = ticket;
  const late = breachedReply(slaStateOf(ticket.sla.json, ticket.priority), at);
  const answers = message !== null || resolution !== undefined;
  const taken =
    assignToMe && answers && by.userId !== null && ticket.assignee === null
      ? assignmentChange(ticket, { id: by.userId, name: by.fullName })
      : null;
  return {
    set: {
      ...taken?.set,
      ...(move ? statusColumns(ticket, move) : {}),
      // Whoever is asked again has the whole time again to answer.
      ...(message && !move && ticket.status === "waiting_for_customer" ? { waiting_since: at, reminded_at: null } : {}),
      ...(resolution === undefined ? {} : { resolution }),
    },
    sla: [
      ...(message ? [{ type: "staff-message" as const, at }] : []),
      ...(move ? slaEventsOf(ticket.status, { ...move, by: by.side }) : []),
    ],
    events: [
      ...(taken?.events ?? []),
      // It names the promise by its time, as the letter about the month does.
      ...(late !== null && whyLate ? [{ kind: "late_explained" as const, from: String(late), reason: whyLate }] : []),
      ...(move ? [{ kind: "status" as const, from: ticket.status, to: move.to, reason: resolution }] : []),
    ],
    statements: message
      ? messageStatements(ctx, by, { ...message, notTo, ticketId, organizationId: organization.id })
      : [],
    audit: [
      ...(taken?.audit ?? []),
      ...(message ? [{ action: "ticket.replied" as const, meta: { message: message.id } }] : []),
      ...(move ? [{ action: "ticket.status_changed" as const, meta: { from: ticket.status, to: move.to } }] : []),
    ],
    notification: {
      ...(message ? { message: { id: message.id, text: message.text, isInternal: false } } : {}),
      ...(move ? { statusBefore: ticket.status } : {}),
      ...(resolution === undefined ? {} : { resolution }),
      notTo,
    },
    label: move ? TICKET_STATUS_LABELS[move.to] : "New reply",
  };
}
