import type { StaffActor } from "~/features/auth/guards.server";
import { readInSiteZone } from "~/features/settings/queries.server";
import { safePath } from "~/lib/safe-path";
import { BULK_LIMIT } from "~/lists/bulk";
import { BulkForm, type Picked, pickedRows } from "~/lists/picked.server";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { PostedForm } from "~/platform/read-form.server";
import { NONE_SELECTED } from "../copy";
import { SUBMISSIONS_PATH } from "../subject";
import { submissionList } from "./definition";
import { submissionRows } from "./definition.server";

/*
 * What the forms of the list have in common: which rows they are about, and the return to the list.
 */

/** Serves every form of the list with one token: the rows and the bulk bar. */
export const LIST_PURPOSE = "submission-list";

/** Returns the address of the list a form came from, or of the whole list. */
export const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], SUBMISSIONS_PATH);

/** Returns to the list, which says what was done. */
export const backWith = (posted: PostedForm, said: { title: string; message: string }): ActionResult<never> =>
  done({ to: listOf(posted), flash: { kind: "success", ...said } });

/** Returns to the list, which says why nothing was done. */
export const backWithError = (posted: PostedForm, message: string): ActionResult<never> =>
  done({ to: listOf(posted), flash: { kind: "error", title: "Error", message } });

/** Rejects a form of the list whose token or fields are not valid: returns to the list, which says `message`. */
export const rejectListForm = (message: string) => (_problem: unknown, posted: PostedForm) =>
  backWithError(posted, message);

type Bulk<Body> = {
  /** What the list says when more rows are picked than one action takes. */
  tooMany: string;
  run: (picked: readonly Picked[]) => Promise<ActionResult<Body>>;
};

/**
 * Carries out something with the picked rows; with none, or more than one action takes, it returns to the list instead.
 */
export async function withPicked<Body>(
  ctx: Ctx,
  actor: StaffActor,
  posted: PostedForm,
  { tooMany, run }: Bulk<Body>,
): Promise<ActionResult<Body>> {
  const picked = await pickedOf(ctx, actor, posted);
  if (picked.length === 0) return backWithError(posted, NONE_SELECTED);
  return picked.length > BULK_LIMIT ? backWithError(posted, tooMany) : run(picked);
}

/**
 * Returns what a bulk action is about: the ticked rows, or all that match the filter and have not changed since the list
 * was drawn, newest first and as many as one action takes.
 */
async function pickedOf(ctx: Ctx, actor: StaffActor, { fields, lists }: PostedForm): Promise<Picked[]> {
  const { scope, query, drawn_at } = BulkForm.parse(fields);
  if (scope === "ticked") return pickedRows(lists.row ?? []);
  const filter = submissionList.readFilter(new URLSearchParams(query));
  const { value } = await readInSiteZone(ctx.db, (zone) =>
    submissionRows.pick(ctx.db, {
      ...submissionRows.scopeOf(filter, { zone, now: ctx.now(), userId: actor.userId }),
      unchangedSince: drawn_at,
    }),
  );
  return value;
}
