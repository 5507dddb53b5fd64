import { json, type TypedResponse } from "@remix-run/cloudflare";
import { isFresh, renewSession } from "~/features/auth/confirm-identity.server";
import { refuseForm } from "~/features/auth/form-answers.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type Refusal, redirectWithFlash } from "~/platform/responses.server";
import { bulkDeleted, NONE_SELECTED, NOT_DELETED } from "./copy";
import { deleteSubmissions } from "./delete-submissions.server";
import type { Picked } from "./list-queries.server";
import { BULK_LIMIT } from "./model";
import { findNames } from "./queries.server";
import { backToList, LIST_PURPOSE, pickedOf } from "./receive-list-post.server";

const DELETE_PURPOSE = "submissions-delete";

/** Names the question spells out; the rest it counts. */
const NAMES_SHOWN = 5;

/** What the confirmation page shows. */
export type DeletionQuestion = {
  token: string;
  /** The chosen rows, as they go into the second form. */
  rows: string[];
  names: string[];
  path: string;
  /** Whether the person has to prove once more who they are. */
  asksIdentity: boolean;
  refusal: Refusal | null;
};

/**
 * First post: the chosen rows come from the list and are asked about. Second post: the answer, with password and code
 * where the last proof is older than ten minutes. Only rows as they were when the list was drawn are deleted.
 */
export async function receiveDeletion(
  ctx: Ctx,
  actor: StaffActor,
  posted: PostedForm,
): Promise<TypedResponse<DeletionQuestion>> {
  const { fields } = posted;
  const back = backToList(fields);
  const leave = (flash: FlashMessage) => redirectWithFlash(ctx, back, flash) as TypedResponse<never>;
  const failed = (message: string) => leave({ kind: "error", title: "Error", message });
  const picked = await pickedOf(ctx, actor, posted);
  if (picked.length === 0) return failed(NONE_SELECTED);
  if (picked.length > BULK_LIMIT) return failed(NOT_DELETED);
  if (fields.intent !== "delete") {
    const chosen = checkFormToken(ctx, LIST_PURPOSE, fields.form_token);
    return chosen.ok ? json(await question(ctx, actor, { picked, path: back, refusal: null })) : failed(NOT_DELETED);
  }

  const token = checkFormToken(ctx, DELETE_PURPOSE, fields.form_token);
  if (!token.ok) return failed(NOT_DELETED);
  if (!isFresh(ctx, actor)) {
    const code = fields.code ?? "";
    const method = code.trim().length > 6 ? "backup_code" : "totp";
    const proof = await renewSession(ctx, actor, { password: fields.password ?? "", code, method });
    if (!proof.ok) {
      const field = proof.refusal.code.startsWith("code_") ? "code" : "password";
      const refused = refuseForm(ctx, { title: "Verification Required", refusal: proof.refusal, field });
      const { status, headers } = refused;
      const refusal = (await refused.json()) as Refusal;
      return json(await question(ctx, actor, { picked, path: back, refusal }), { status, headers });
    }
  }
  const { changed, skipped } = await deleteSubmissions(ctx, { picked, nonce: token.value.nonce });
  return leave({ kind: "success", ...bulkDeleted(changed, skipped) });
}

type Asked = { picked: readonly Picked[]; path: string; refusal: Refusal | null };

async function question(ctx: Ctx, actor: StaffActor, { picked, path, refusal }: Asked): Promise<DeletionQuestion> {
  const ids = picked.map(({ id }) => id);
  return {
    token: issueFormToken(ctx, DELETE_PURPOSE),
    rows: picked.map(({ id, version }) => `${id}.${version}`),
    names: await findNames(ctx.db, ids.slice(0, NAMES_SHOWN)),
    path,
    asksIdentity: !isFresh(ctx, actor),
    refusal,
  };
}
