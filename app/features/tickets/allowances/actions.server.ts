import type { StaffActor } from "~/features/auth/guards.server";
import type { ValidationError } from "~/lib/form";
import { done, notFound } from "~/platform/action-result";
import { type FormAction, formActions, invalidForm, rejectButton } from "~/platform/form-actions.server";
import { DETAILS_NOT_SAVED, DETAILS_SAVED } from "../copy";
import { ReversalForm } from "../forms.server";
import { recordVisit, reverseAllowance } from "./change-allowances.server";

type Params = { ticket: string; path: string };
type AllowanceForm<Input> = FormAction<StaffActor, Params, ValidationError, Input>;

const byStaff = ({ userId, fullName }: StaffActor) => ({ userId, fullName, side: "staff" }) as const;

/** Handles the button that writes down a visit. */
const visitAction: AllowanceForm<unknown> = {
  ability: "ticket.handle",
  purpose: "ticket-visit",
  invalid: (problem, { params }) => rejectButton(params.path, problem, DETAILS_NOT_SAVED),
  run: async (ctx, actor, { params, nonce }) => {
    const recorded = await recordVisit(ctx, byStaff(actor), { ticketId: params.ticket, nonce });
    return recorded.ok ? done({ to: params.path, flash: { kind: "success", ...DETAILS_SAVED } }) : notFound();
  },
};

/** Handles the form that takes an entry back. */
const reversalAction: AllowanceForm<{ entry: string; reason: string }> = {
  ability: "ticket.handle",
  purpose: "ticket-allowance",
  form: ReversalForm,
  invalid: invalidForm(DETAILS_NOT_SAVED),
  run: async (ctx, actor, { params, input, nonce }) => {
    const { entry: entryId, reason } = input;
    const reversed = await reverseAllowance(ctx, byStaff(actor), { ticketId: params.ticket, entryId, reason, nonce });
    return reversed.ok ? done({ to: params.path, flash: { kind: "success", ...DETAILS_SAVED } }) : notFound();
  },
};

/** Handles the forms that write down what a ticket has used of a plan. */
export const allowanceActions = formActions<StaffActor, Params, ValidationError>()({
  visit: visitAction,
  reverse_allowance: reversalAction,
});
