import type { ListRejection } from "~/lib/form";
import { type ActionResult, invalid } from "./action-result";
import { type FormProblem, reasonOf } from "./form-actions.server";
import type { PostedForm } from "./read-form.server";

/** Shows a list again, which says why nothing was done and keeps the selection. */
export const rejectList = ({ lists }: PostedForm, rejection: string): ActionResult<ListRejection> =>
  invalid({ rejection, rows: lists.row ?? [] });

/** Rejects a form of a list whose token or fields are not valid, or which cannot be done now, as its problem says. */
export const rejectListForm = (message: string) => (problem: FormProblem, posted: PostedForm) =>
  rejectList(posted, reasonOf(problem, message));
