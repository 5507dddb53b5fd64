import type { StaffActor } from "~/features/auth/guards.server";
import { readSelection } from "~/features/settings/read-selection.server";
import type { ListRejection } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { BulkForm, narrowTo, type Selection } from "~/lists/selection.server";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { rejectList } from "~/platform/list-rejection.server";
import type { PostedForm } from "~/platform/read-form.server";
import { RESULT_ID } from "~/ui/flash";
import type { ManyOutcome } from "./change-many.server";
import { NONE_SELECTED, NOTHING_CHANGED, noneChanged, outcomeText, TOO_MANY_SELECTED } from "./copy";
import { ticketList } from "./definition";
import { ticketRows } from "./definition.server";
import { TICKETS_AT_ONCE } from "./model";

/*
 * Used by all forms of the list: finds the rows they are about, and returns to the list.
 */

/** Names the purpose of the form token that the rows and the bulk bar share. */
export const LIST_PURPOSE = "ticket-list";

/** Returns the address of the list that a form was posted from, or of the unfiltered list. */
export const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], ticketList.path);

/** Returns to the list and says what became of the selected tickets, or shows it again if none was changed. */
export function answerMany(posted: PostedForm, title: string, outcome: ManyOutcome): ActionResult<ListRejection> {
  const { changed, unchanged } = outcome;
  if (changed === 0 && unchanged === 0) return rejectList(posted, noneChanged(outcome));
  const flash =
    changed > 0
      ? { kind: "success" as const, title, message: outcomeText(outcome) }
      : { kind: "info" as const, title: NOTHING_CHANGED, message: outcomeText(outcome) };
  return done({ to: `${listOf(posted)}#${RESULT_ID}`, flash });
}

/** Runs a bulk action on the selected tickets. Rejects it if there are none, or more than one action takes. */
export async function withSelection(
  ctx: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  posted: PostedForm,
  run: (selection: Selection) => Promise<ActionResult<ListRejection>>,
): Promise<ActionResult<ListRejection>> {
  const { target } = BulkForm.parse(posted.fields);
  const selection = await readSelection(ctx, actor, posted, ticketRows);
  const ids = selection.rows.map(({ id }) => id);
  if (ids.length === 0) return rejectList(posted, NONE_SELECTED);
  if (ids.length <= TICKETS_AT_ONCE) return run(selection);
  // Of all that match the first ones are taken, as the choice says.
  return target === "all"
    ? run(narrowTo(selection, ids.slice(0, TICKETS_AT_ONCE)))
    : rejectList(posted, TOO_MANY_SELECTED);
}
