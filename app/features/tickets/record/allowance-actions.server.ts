import type { StaffActor } from "~/features/auth/guards.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { done, invalid, notFound } from "~/platform/action-result";
import type { FormAction } from "~/platform/form-actions.server";
import { recordVisit, reverseAllowance } from "../allowances/change-allowances.server";
import { DETAILS_NOT_SAVED, DETAILS_SAVED } from "../copy";
import { ReversalForm } from "../forms.server";
import type { TicketFormError } from "./model";

type Params = { ticket: string; path: string };
type AllowanceForm<Input> = FormAction<StaffActor, Params, TicketFormError, Input>;

const invalidForm: AllowanceForm<never>["invalid"] = (problem, { fields }) => {
  const { form_token: _, ...values } = fields;
  const errors = problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors;
  return invalid({ form: "allowances", title: DETAILS_NOT_SAVED, errors, values });
};

const byStaff = ({ userId, fullName }: StaffActor) => ({ userId, fullName, side: "staff" }) as const;

/** Handles the button that writes down a visit. */
const visitAction: AllowanceForm<unknown> = {
  ability: "ticket.handle",
  purpose: "ticket-visit",
  invalid: invalidForm,
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
  invalid: invalidForm,
  run: async (ctx, actor, { params, input, nonce }) => {
    const { entry: entryId, reason } = input;
    const reversed = await reverseAllowance(ctx, byStaff(actor), { ticketId: params.ticket, entryId, reason, nonce });
    return reversed.ok ? done({ to: params.path, flash: { kind: "success", ...DETAILS_SAVED } }) : notFound();
  },
};

/** Handles the forms of a ticket's page that write down what it has used of a plan. */
export const allowanceActions = { visit: visitAction, reverse_allowance: reversalAction };
