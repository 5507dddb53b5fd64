import type { StaffActor } from "~/features/auth/guards.server";
import { readSelection } from "~/features/settings/read-selection.server";
import { safePath } from "~/lib/safe-path";
import { BULK_LIMIT } from "~/lists/bulk";
import type { Selection } from "~/lists/selection.server";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { PostedForm } from "~/platform/read-form.server";
import { RESULT_ID } from "~/ui/flash";
import { NONE_SELECTED } from "../copy";
import { SUBMISSIONS_PATH } from "../subject";
import { submissionRows } from "./definition.server";

/*
 * Used by all forms of the list: finds the rows they are about, and returns to the list.
 */

/** Names the purpose of the form token that the rows and the bulk bar share. */
export const LIST_PURPOSE = "submission-list";

/** Returns the address of the list that a form was posted from, or of the unfiltered list. */
export const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], SUBMISSIONS_PATH);

/** Returns to the list with a message that says what was done. */
export const backWith = (
  posted: PostedForm,
  message: { title: string; message: string },
  kind: "success" | "info" = "success",
): ActionResult<never> => done({ to: `${listOf(posted)}#${RESULT_ID}`, flash: { kind, ...message } });

/** Returns from another page to the list, with a message that says why nothing was done. */
export const backWithError = (posted: PostedForm, message: string): ActionResult<never> =>
  done({ to: listOf(posted), flash: { kind: "error", title: "Error", message } });

/** Rejects a form of another page whose token or fields are not valid: returns to the list, which says `message`. */
export const rejectDeletion = (message: string) => (_problem: unknown, posted: PostedForm) =>
  backWithError(posted, message);

type Bulk<Body> = {
  /** Holds the error message if more rows are selected than one action takes. */
  tooMany: string;
  reject: (posted: PostedForm, message: string) => ActionResult<Body>;
  run: (selection: Selection) => Promise<ActionResult<Body>>;
};

/**
 * Runs a bulk action on the selected rows. Rejects it if there are none, or more than one action takes.
 */
export async function withSelection<Body>(
  ctx: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  posted: PostedForm,
  { tooMany, reject, run }: Bulk<Body>,
): Promise<ActionResult<Body>> {
  const selection = await readSelection(ctx, actor, posted, submissionRows);
  const { length } = selection.rows;
  if (length === 0) return reject(posted, NONE_SELECTED);
  return length > BULK_LIMIT ? reject(posted, tooMany) : run(selection);
}
