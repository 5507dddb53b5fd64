import * as z from "zod";
import type { MemberActor } from "~/features/auth/guards.server";
import { otherOrganization } from "~/features/organizations/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { safePath } from "~/lib/safe-path";
import { done, invalid, notFound } from "~/platform/action-result";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { changeStatusAsClient } from "../changes/change-status-as-client.server";
import { STATUS_NOT_UPDATED, STATUS_UPDATED } from "../copy";
import { CLIENT_TRANSITIONS } from "../model";
import { CLIENT_TICKETS_PATH } from "../subject";

/** Names the purpose of the form token that the cards share. */
export const CARDS_PURPOSE = "ticket-cards";

export type TransitionResult = { rejection: string };

/** Checks the button of a card: what is done, and to which ticket. */
const MoveForm = z
  .object({ move: z.string().regex(/^[a-z]{1,10}\.tkt_[a-z0-9]{1,40}$/) })
  .transform(({ move }, context) => {
    const [name = "", ticketId = ""] = move.split(".");
    const known = CLIENT_TRANSITIONS.find((each) => each === name);
    if (known) return { move: known, ticketId };
    context.addIssue({ code: "custom", message: STATUS_NOT_UPDATED });
    return z.NEVER;
  });

const rejected = (rejection: string) => invalid<TransitionResult>({ rejection });

/** Handles the buttons of the cards. */
export const cardActions = formActions<MemberActor, null, TransitionResult>({ conflict: otherOrganization })({
  move: {
    purpose: CARDS_PURPOSE,
    form: MoveForm,
    invalid: (problem) => rejected(reasonOf(problem, STATUS_NOT_UPDATED)),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const moved = await changeStatusAsClient(ctx, actor, { ...input, message: null, nonce });
      if (moved.ok) {
        const to = safePath(fields.return_to, ["portal"], CLIENT_TICKETS_PATH);
        return done({ to, flash: { kind: "success", ...STATUS_UPDATED } });
      }
      if (moved.code === "ticket_not_found") return notFound();
      return rejected(moved.code === "changed_since" ? CHANGED_SINCE : STATUS_NOT_UPDATED);
    },
  },
});
