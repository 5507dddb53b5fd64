import type { StaffActor } from "~/features/auth/guards.server";
import { readSelection } from "~/features/settings/queries.server";
import type { ListRejection } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import type { Selection } from "~/lists/selection.server";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { rejectList } from "~/platform/list-rejection.server";
import type { PostedForm } from "~/platform/read-form.server";
import { RESULT_ID } from "~/ui/flash";
import type { ManyOutcome } from "./change-many.server";
import { NONE_SELECTED, NOTHING_CHANGED, noneChanged, outcomeText } from "./copy";
import { ticketList } from "./definition";
import { ticketRows } from "./definition.server";

/*
 * Used by all forms of the list: finds the rows they are about, and returns to the list.
 */

/** Names the purpose of the form token that the rows and the bulk bar share. */
export const LIST_PURPOSE = "ticket-list";

/** Returns the address of the list that a form was posted from, or of the unfiltered list. */
export const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], ticketList.path);

/** Returns to the list and says what became of the selected tickets, or shows it again if none was changed. */
export function answerMany(posted: PostedForm, title: string, outcome: ManyOutcome): ActionResult<ListRejection> {
  const { changed, unchanged, waiting } = outcome;
  if (changed + unchanged + waiting === 0) return rejectList(posted, noneChanged(outcome));
  const flash =
    changed > 0
      ? { kind: "success" as const, title, message: outcomeText(outcome) }
      : { kind: "info" as const, title: NOTHING_CHANGED, message: outcomeText(outcome) };
  return done({ to: `${listOf(posted)}#${RESULT_ID}`, flash });
}

/** Runs a bulk action on the selected tickets. Rejects it if there are none. */
export async function withSelection(
  ctx: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  posted: PostedForm,
  run: (selection: Selection) => Promise<ActionResult<ListRejection>>,
): Promise<ActionResult<ListRejection>> {
  const selection = await readSelection(ctx, actor, posted, ticketRows);
  return selection.rows.length === 0 ? rejectList(posted, NONE_SELECTED) : run(selection);
}
