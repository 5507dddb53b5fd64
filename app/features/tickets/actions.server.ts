import * as z from "zod";
import { DRAFT_DELETED, REPLY_UNDONE, TOO_LATE_TO_UNDO } from "~/features/conversation/labels";
import { type Draft, discardDraft, messageKeys, saveDraft } from "~/features/conversation/messages.server";
import { setMuted } from "~/features/notifications/queries.server";
import type { Ctx } from "~/platform/context.server";
import type { Submitted } from "~/platform/form-actions.server";
import { type ActionResult, done, notFound } from "~/platform/responses.server";
import { MUTED, UNMUTED } from "./labels";
import { MESSAGE_LIMIT, RESOLUTION_LIMITS, type TicketActor, WHY_LATE_LIMIT } from "./model";
import type { StoredTicket } from "./queries.server";
import { undoReply } from "./undo-reply.server";

/** `ticket`: its number or id, as in the address. */
export type TicketPageParams = { ticket: string; path: string };

export type SentForm<Input> = Submitted<TicketPageParams> & { input: Input; nonce: string };

/** `find` returns the ticket only to whom its page shows it. */
type Audience<FormActor> = {
  side: TicketActor["side"];
  find: (ctx: Ctx, actor: FormActor, ref: string) => Promise<StoredTicket | null>;
};

type DraftSaved<Body> = { kind: Draft["kind"]; saved: (sent: SentForm<unknown>) => ActionResult<Body> };

export const UndoFields = z.object({ message: z.string().max(60) });

const LEFT_OUT_MAX = 120;

/** Returns whom a reply leaves out: those whom its page has listed, and who were not chosen. */
export const leftOutOf = ({ fields, lists }: Pick<Submitted<unknown>, "fields" | "lists">): string[] =>
  (fields.listed ?? "")
    .split(" ")
    .filter((id) => /^[a-z]{3}_[a-z0-9_]{1,60}$/.test(id) && lists.to?.includes(id) === false)
    .slice(0, LEFT_OUT_MAX);

export const ticketPageHandlers = <FormActor extends { userId: string }>({ side, find }: Audience<FormActor>) => ({
  keepDraft:
    <Body>({ kind, saved }: DraftSaved<Body>, { byItself }: { byItself: boolean }) =>
    async (ctx: Ctx, actor: FormActor, sent: SentForm<unknown>): Promise<ActionResult<Body>> => {
      const { params, fields, nonce } = sent;
      const ticket = await find(ctx, actor, params.ticket);
      if (!ticket) return notFound();
      await saveDraft(ctx, {
        ticket,
        userId: actor.userId,
        kind,
        baseMessage: Number(/^\d{1,9}(?= |$)/.exec(fields.begun_at_message ?? "")?.[0] ?? ticket.publicMessages),
        text: (fields.body ?? "").slice(0, MESSAGE_LIMIT),
        ...(side === "staff" && {
          whyLate: fields.why_late?.slice(0, WHY_LATE_LIMIT),
          whatWasDone: fields.what_was_done?.slice(0, RESOLUTION_LIMITS.max),
          notTo: leftOutOf(sent),
        }),
        unlessSent: byItself ? messageKeys(nonce, params.ticket) : undefined,
      });
      return byItself ? done({ to: params.path }) : saved(sent);
    },

  discardDraft:
    (kind: Draft["kind"]) =>
    async (ctx: Ctx, actor: FormActor, { params }: SentForm<unknown>): Promise<ActionResult<never>> => {
      const ticket = await find(ctx, actor, params.ticket);
      if (!ticket) return notFound();
      await discardDraft(ctx.db, { ticketId: ticket.id, userId: actor.userId, kind });
      return done({ to: params.path, flash: { kind: "success", ...DRAFT_DELETED } });
    },

  async mute(
    ctx: Ctx,
    actor: FormActor,
    { params, input }: SentForm<{ muted: "yes" | "no" }>,
  ): Promise<ActionResult<never>> {
    const ticket = await find(ctx, actor, params.ticket);
    if (!ticket) return notFound();
    const muted = input.muted === "yes";
    await setMuted(ctx.db, { subject: { type: "ticket", id: ticket.id }, userId: actor.userId }, muted);
    return done({ to: params.path, flash: { kind: "success", ...(muted ? MUTED : UNMUTED) } });
  },

  async undo(
    ctx: Ctx,
    actor: FormActor,
    { params, input, nonce }: SentForm<z.output<typeof UndoFields>>,
  ): Promise<ActionResult<never>> {
    const undone = await undoReply(ctx, actor, {
      ticketId: params.ticket,
      messageId: input.message,
      nonce,
      find: side === "client" ? () => find(ctx, actor, params.ticket) : undefined,
    });
    if (undone.ok) return done({ to: `${params.path}#body`, flash: { kind: "success", ...REPLY_UNDONE } });
    if (undone.code === "ticket_not_found") return notFound();
    return done({ to: params.path, flash: { kind: "error", title: "Error", message: TOO_LATE_TO_UNDO } });
  },
});
