import type { StaffActor } from "~/features/auth/guards.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors } from "~/lib/form";
import { type ActionResult, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { discardFiles, type FormAction, type FormProblem, type Submitted } from "~/platform/form-actions.server";
import { DETAILS_NOT_SAVED, MESSAGE_NOT_ADDED, STATUS_NOT_UPDATED } from "../copy";
import type { TicketActor } from "../model";
import type { TicketFormError, TicketFormName } from "./model";

/** Names the ticket, by number or id, and holds the address of the page. */
export type Params = { ticket: string; path: string };

export type TicketForm<Input> = FormAction<StaffActor, Params, TicketFormError, Input>;
export type Sent<Input> = Submitted<Params> & { input: Input; nonce: string };
export type FormResult = ActionResult<TicketFormError>;

/** Holds the message after a form that did not work. */
export const FAILED: Record<TicketFormName, string> = {
  reply: MESSAGE_NOT_ADDED,
  note: MESSAGE_NOT_ADDED,
  handling: STATUS_NOT_UPDATED,
  priority: DETAILS_NOT_SAVED,
  people: DETAILS_NOT_SAVED,
};

/** Returns the form as it was posted, with what is wrong with it. The files that came with it are not kept. */
export function rejectedForm(
  ctx: Pick<Ctx, "after" | "files">,
  form: TicketFormName,
  { fields, upload, errors }: Pick<Submitted<Params>, "fields" | "upload"> & { errors: FieldErrors },
): TicketFormError {
  discardFiles(ctx, { upload });
  const { form_token: _, ...values } = fields;
  return { form, title: FAILED[form], errors, values };
}

/**
 * Returns what a form's action does with a form that is not valid: the page again, with what was typed and why it
 * failed.
 */
export const invalidTicketForm =
  (form: TicketFormName) =>
  (problem: FormProblem, submitted: Submitted<Params>, ctx: Ctx): FormResult => {
    const errors = problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors;
    return invalid(rejectedForm(ctx, form, { ...submitted, errors }));
  };

/** Returns a member of staff as the actor of a change. */
export const staffActor = ({ userId, fullName }: StaffActor): TicketActor => ({ userId, fullName, side: "staff" });

/** Returns the message after a change that was made. */
export const success = (message: Pick<FlashMessage, "title" | "message">): FlashMessage => ({
  kind: "success",
  ...message,
});
