import type * as z from "zod";
import { setMuted } from "~/features/notifications/queries.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { done, invalid, notFound } from "~/platform/action-result";
import { type FormProblem, rejectButton } from "~/platform/form-actions.server";
import { changedValues } from "~/platform/run-command.server";
import { changePriority } from "../changes/change-details.server";
import { addNamedPerson, removePerson } from "../changes/change-people.server";
import {
  ASSIGNED,
  DETAILS_SAVED,
  MUTED,
  NOBODY_HAS_ADDRESS,
  NOTHING_CHANGED,
  NOW_UNASSIGNED,
  STATUS_UPDATED,
  UNMUTED,
} from "../copy";
import { AddPersonForm, HandlingForm, MuteForm, PersonForm, PriorityForm } from "../forms.server";
import { findTicketForStaff } from "../queries.server";
import type { TicketFormName } from "./model";
import { saveHandling } from "./save-handling.server";
import {
  FAILED,
  type FormResult,
  invalidTicketForm,
  type Params,
  rejectedForm,
  staffActor,
  success,
  type TicketForm,
} from "./ticket-form.server";

type Message = { title: string; message: string };

/** Says what the form of status, assignee and category has changed. */
function handlingSaved({ had, ...values }: z.output<typeof HandlingForm>): Message {
  const chosen = changedValues({ values, had }, null);
  const names = Object.keys(chosen).join();
  if (names === "status") return STATUS_UPDATED;
  if (names !== "assigneeId") return DETAILS_SAVED;
  return chosen.assigneeId === null ? NOW_UNASSIGNED : ASSIGNED;
}

type Changed = { ok: true } | { ok: false; code: string };

/** Returns to the page after a change of the ticket, or says why there was none. */
function changed(form: TicketFormName, { path }: Params, outcome: Changed, saved: Message = DETAILS_SAVED): FormResult {
  if (outcome.ok) return done({ to: path, flash: success(saved) });
  if (outcome.code === "ticket_not_found") return notFound();
  if (outcome.code === "unchanged")
    return done({ to: path, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });
  const message = outcome.code === "changed_since" ? CHANGED_SINCE : FAILED[form];
  return done({ to: path, flash: { kind: "error", title: "Error", message } });
}

const notChanged = (problem: FormProblem, { params }: { params: Params }) =>
  rejectButton(params.path, problem, FAILED.people);

/** Holds the type of a form's fields together with its action. */
const changing = <Input>(action: TicketForm<Input>): TicketForm<Input> => action;

/** Handles the forms of a ticket's page that change the ticket itself. */
export const changeActions = {
  handling: changing<z.output<typeof HandlingForm>>({
    ability: "ticket.handle",
    purpose: "ticket-handling",
    form: HandlingForm,
    invalid: invalidTicketForm("handling"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const saved = await saveHandling(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce });
      return changed("handling", params, saved, handlingSaved(input));
    },
  }),
  priority: changing<z.output<typeof PriorityForm>>({
    ability: "ticket.handle",
    purpose: "ticket-priority",
    form: PriorityForm,
    invalid: invalidTicketForm("priority"),
    run: async (ctx, actor, { params, input, nonce }) =>
      changed(
        "priority",
        params,
        await changePriority(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce }),
      ),
  }),
  mute: changing<z.output<typeof MuteForm>>({
    ability: "ticket.view",
    purpose: "ticket-mute",
    form: MuteForm,
    invalid: notChanged,
    run: async (ctx, { userId }, { params, input }) => {
      const ticket = await findTicketForStaff(ctx.db, params.ticket);
      if (!ticket) return notFound();
      const muted = input.muted === "yes";
      await setMuted(ctx.db, { subject: { type: "ticket", id: ticket.id }, userId }, muted);
      return done({ to: params.path, flash: success(muted ? MUTED : UNMUTED) });
    },
  }),
  add_person: changing<z.output<typeof AddPersonForm>>({
    ability: "ticket.handle",
    purpose: "ticket-people",
    form: AddPersonForm,
    invalid: invalidTicketForm("people"),
    run: async (ctx, actor, { input, nonce, ...sent }) => {
      const { params } = sent;
      const editor = { side: "staff", by: staffActor(actor) } as const;
      const named = { ticketId: params.ticket, userId: input.person, email: input.email, nonce };
      const added = await addNamedPerson(ctx, editor, named);
      if (!added.ok && added.code === "person_not_found" && input.email !== "")
        return invalid(rejectedForm(ctx, "people", { ...sent, errors: { email: NOBODY_HAS_ADDRESS } }));
      return changed("people", params, added);
    },
  }),
  remove_person: changing<z.output<typeof PersonForm>>({
    ability: "ticket.handle",
    purpose: "ticket-people",
    form: PersonForm,
    invalid: notChanged,
    run: async (ctx, actor, { params, input, nonce }) => {
      const editor = { side: "staff", by: staffActor(actor) } as const;
      const person = { ticketId: params.ticket, userId: input.person, nonce };
      return changed("people", params, await removePerson(ctx, editor, person));
    },
  }),
};
