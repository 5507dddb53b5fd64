import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { badRequest, done, notFound } from "~/platform/action-result";
import type { FormAction } from "~/platform/form-actions.server";
import { MAIL_TRIED_AGAIN } from "../copy";
import { findTicketForStaff } from "../queries.server";
import { retryMails } from "./delivery.server";

type Params = { ticket: string; path: string };

const RetryForm = z.object({ message: z.string().max(60) });

/** Handles the forms of the mails on a ticket's page. */
export const ticketMailActions: {
  retry_mail: FormAction<StaffActor, Params, never, z.output<typeof RetryForm>>;
} = {
  retry_mail: {
    ability: "ticket.reply",
    purpose: "ticket-mail",
    form: RetryForm,
    invalid: badRequest,
    run: async (ctx, _actor, { params, input }) => {
      const ticket = await findTicketForStaff(ctx.db, params.ticket);
      if (!ticket) return notFound();
      await retryMails(ctx, { ticketId: ticket.id, messageId: input.message });
      return done({ to: `${params.path}#${input.message}`, flash: { kind: "success", ...MAIL_TRIED_AGAIN } });
    },
  },
};
