import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { HAS_OWNER } from "~/features/submissions/labels";
import { queueActions } from "~/features/submissions/queue.server";
import { takeTicket } from "~/features/tickets/commands.server";
import { ASSIGNED, NOT_ASSIGNED } from "~/features/tickets/labels";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { FormAnswer } from "~/lib/form";
import { queueOwner, queuePath } from "~/lib/waiting";
import { done, invalid } from "~/platform/action-result";
import { formActions, reasonOf } from "~/platform/form-actions.server";

const NOT_TAKEN_BECAUSE = { has_owner: HAS_OWNER, changed_since: CHANGED_SINCE, ticket_not_found: NOT_ASSIGNED };

const TakeForm = z.object({
  id: z.string().regex(/^tkt_[a-z0-9_]{1,60}$/i),
  own: z
    .string()
    .optional()
    .transform((text) => queueOwner(text ?? null)),
});

/** Handles the forms of the dashboard, whose rows are of two kinds and share a token. */
export const waitingActions = formActions<StaffActor, null, FormAnswer>()({
  ...queueActions.actions,
  take_ticket: {
    ability: "ticket.handle",
    purpose: queueActions.actions.take.purpose,
    form: TakeForm,
    invalid: (problem) => invalid({ rejection: reasonOf(problem, NOT_ASSIGNED) }),
    run: async (ctx, actor, { input: { id, own }, nonce }) => {
      const taken = await takeTicket(ctx, actor, { ticketId: id, nonce });
      if (!taken.ok) return invalid({ rejection: NOT_TAKEN_BECAUSE[taken.code] });
      return done({ to: `${queuePath(own)}#${id}`, flash: { kind: "success", ...ASSIGNED } });
    },
  },
});
