import type * as z from "zod";
import { done, notFound } from "~/platform/action-result";
import { changePriority } from "../changes/change-details.server";
import { addPerson, removePerson } from "../changes/change-people.server";
import { moveToOrganization } from "../changes/move-to-organization.server";
import { DETAILS_SAVED, NOTHING_CHANGED } from "../copy";
import { HandlingForm, OrganizationForm, PersonForm, PriorityForm } from "../forms.server";
import type { TicketFormName } from "./model";
import {
  FAILED,
  type FormResult,
  type Params,
  refuse,
  staffActor,
  success,
  type TicketForm,
} from "./refuse-form.server";
import { saveHandling } from "./save-handling.server";

type Changed = { ok: true } | { ok: false; code: string };

/** Returns to the page after a change of the ticket, or says why there was none. */
function changed(form: TicketFormName, { path }: Params, outcome: Changed): FormResult {
  if (outcome.ok) return done({ to: path, flash: success(DETAILS_SAVED) });
  if (outcome.code === "ticket_not_found") return notFound();
  return done({ to: path, flash: { kind: "error", title: "Error", message: FAILED[form] } });
}

/** Holds the type of a form's fields together with its action. */
const changing = <Input>(action: TicketForm<Input>): TicketForm<Input> => action;

/** Handles the forms of a ticket's page that change the ticket itself. */
export const changeActions = {
  handling: changing<z.output<typeof HandlingForm>>({
    ability: "ticket.handle",
    purpose: "ticket-handling",
    form: HandlingForm,
    invalid: refuse("handling"),
    run: async (ctx, actor, { params, input, nonce }) => {
      if (Object.values(input).every((value) => value === undefined))
        return done({ to: params.path, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });
      const saved = await saveHandling(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce });
      return changed("handling", params, saved);
    },
  }),
  priority: changing<z.output<typeof PriorityForm>>({
    ability: "ticket.handle",
    purpose: "ticket-priority",
    form: PriorityForm,
    invalid: refuse("priority"),
    run: async (ctx, actor, { params, input, nonce }) =>
      changed(
        "priority",
        params,
        await changePriority(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce }),
      ),
  }),
  move: changing<z.output<typeof OrganizationForm>>({
    ability: "ticket.handle",
    purpose: "ticket-organization",
    form: OrganizationForm,
    invalid: refuse("move"),
    run: async (ctx, actor, { params, input: { organization_id: organizationId }, nonce }) => {
      const move = { ticketId: params.ticket, organizationId, nonce };
      return changed("move", params, await moveToOrganization(ctx, staffActor(actor), move));
    },
  }),
  add_person: personAction(addPerson),
  remove_person: personAction(removePerson),
};

/** Returns the action of a form that names a person. */
function personAction(command: typeof addPerson): TicketForm<{ person: string }> {
  return {
    ability: "ticket.handle",
    purpose: "ticket-people",
    form: PersonForm,
    invalid: refuse("people"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const editor = { side: "staff", by: staffActor(actor) } as const;
      const person = { ticketId: params.ticket, userId: input.person, nonce };
      return changed("people", params, await command(ctx, editor, person));
    },
  };
}
