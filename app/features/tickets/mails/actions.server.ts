import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { badRequest, done, notFound } from "~/platform/action-result";
import type { FormAction } from "~/platform/form-actions.server";
import { undoReply } from "../conversation/undo-reply.server";
import { MAIL_TRIED_AGAIN, REPLY_UNDONE, TOO_LATE_TO_UNDO } from "../labels";
import { findTicketForStaff } from "../queries.server";
import { retryMails } from "./delivery.server";

type Params = { ticket: string; path: string };

const MessageOf = z.object({ message: z.string().max(60) });

/** Handles the forms of the mails on a ticket's page. */
export const ticketMailActions: {
  retry_mail: FormAction<StaffActor, Params, never, z.output<typeof MessageOf>>;
  undo: FormAction<StaffActor, Params, never, z.output<typeof MessageOf>>;
} = {
  retry_mail: {
    ability: "ticket.reply",
    purpose: "ticket-mail",
    form: MessageOf,
    invalid: badRequest,
    run: async (ctx, _actor, { params, input }) => {
      const ticket = await findTicketForStaff(ctx.db, params.ticket);
      if (!ticket) return notFound();
      await retryMails(ctx, { ticketId: ticket.id, messageId: input.message });
      return done({ to: `${params.path}#${input.message}`, flash: { kind: "success", ...MAIL_TRIED_AGAIN } });
    },
  },
  undo: {
    ability: "ticket.reply",
    purpose: "ticket-undo",
    form: MessageOf,
    invalid: badRequest,
    run: async (ctx, actor, { params, input, nonce }) => {
      const undone = await undoReply(ctx, actor, { ticketId: params.ticket, messageId: input.message, nonce });
      if (undone.ok) return done({ to: `${params.path}#body`, flash: { kind: "success", ...REPLY_UNDONE } });
      if (undone.code === "ticket_not_found") return notFound();
      return done({ to: params.path, flash: { kind: "error", title: "Error", message: TOO_LATE_TO_UNDO } });
    },
  },
};
