import { json, type TypedResponse } from "@remix-run/cloudflare";
import { identityField, typedIdentity } from "~/features/account/account-form.server";
import { isFresh, renewSession } from "~/features/auth/confirm-identity.server";
import { TITLES } from "~/features/auth/copy";
import { refuseForm } from "~/features/auth/form-errors.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { ChallengeMethod } from "~/features/auth/model";
import { BULK_LIMIT } from "~/lists/bulk";
import type { Picked } from "~/lists/picked.server";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type Refusal, redirectWithFlash } from "~/platform/responses.server";
import { bulkDeleted, NONE_SELECTED, NOT_DELETED } from "../copy";
import { findNames } from "../queries.server";
import { deleteSubmissions } from "./delete-submissions.server";
import { backToList, LIST_PURPOSE, pickedOf } from "./receive-list-post.server";

const DELETE_PURPOSE = "submissions-delete";

/** What the second form can be sent for: the deletion, or the same question with the other kind of code. */
const SECOND_INTENTS = ["delete", "other_method"];
const OTHER_METHOD = { totp: "backup", backup: "totp" } as const;

/** Names the question spells out; the rest it counts. */
const NAMES_SHOWN = 5;

/** What the confirmation page shows. */
export type DeletionQuestion = {
  token: string;
  /** The chosen rows, as they go into the second form. */
  rows: string[];
  names: string[];
  path: string;
  /** How the person proves once more who they are; `null` while the last proof is fresh. */
  identity: { email: string; mfaEnabled: boolean; method: ChallengeMethod } | null;
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
  const typed = fields.method === "backup" ? "backup" : "totp";
  const method = fields.intent === "other_method" ? OTHER_METHOD[typed] : typed;
  const picked = await pickedOf(ctx, actor, posted);
  if (picked.length === 0) return failed(NONE_SELECTED);
  if (picked.length > BULK_LIMIT) return failed(NOT_DELETED);
  const ask = (refusal: Refusal | null = null) => question(ctx, actor, { picked, path: back, method, refusal });
  const isFirst = !SECOND_INTENTS.includes(fields.intent ?? "");
  const token = checkFormToken(ctx, isFirst ? LIST_PURPOSE : DELETE_PURPOSE, fields.form_token);
  if (!token.ok) return failed(NOT_DELETED);
  if (fields.intent !== "delete") return json(await ask());
  if (!isFresh(ctx, actor)) {
    const proof = await renewSession(ctx, actor, typedIdentity(fields));
    if (!proof.ok) {
      const field = identityField(proof.refusal.code);
      const refused = refuseForm(ctx, { title: TITLES.verification, refusal: proof.refusal, field });
      const { status, headers } = refused;
      return json(await ask((await refused.json()) as Refusal), { status, headers });
    }
  }
  const { changed, skipped } = await deleteSubmissions(ctx, { picked, nonce: token.value.nonce });
  return leave({ kind: "success", ...bulkDeleted(changed, skipped) });
}

type Asked = { picked: readonly Picked[]; path: string; method: ChallengeMethod; refusal: Refusal | null };

async function question(
  ctx: Ctx,
  actor: StaffActor,
  { picked, path, method, refusal }: Asked,
): Promise<DeletionQuestion> {
  const ids = picked.map(({ id }) => id);
  return {
    token: issueFormToken(ctx, DELETE_PURPOSE),
    rows: picked.map(({ id, version }) => `${id}.${version}`),
    names: await findNames(ctx.db, ids.slice(0, NAMES_SHOWN)),
    path,
    identity: isFresh(ctx, actor) ? null : { email: actor.email, mfaEnabled: actor.mfaEnabled, method },
    refusal,
  };
}
