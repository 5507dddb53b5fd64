import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import { IdentityForm } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { type ChallengeMethod, challengeMethod, OTHER_METHOD } from "~/features/auth/model";
import type { Selection } from "~/lists/selection.server";
import { type ActionResult, mapBody, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import type { PostedForm } from "~/platform/read-form.server";
import { bulkDeleted, NOT_DELETED, noneDone } from "../copy";
import type { DeletionConfirmation } from "../model";
import { deleteSubmissions } from "./delete-submissions.server";
import { backWith, backWithError, LIST_PURPOSE, listOf, rejectDeletion, withSelection } from "./list-responses.server";
import { findNames } from "./read-list.server";

const DELETE_PURPOSE = "submissions-delete";

/** Limits how many names the confirmation lists; it counts the others. */
const NAMES_SHOWN = 5;

type FormResult = ActionResult<DeletionConfirmation>;

/**
 * Handles the deletion of selected submissions. `choose` is forwarded from the list: the page asks for confirmation.
 * `delete` confirms, with password and code if the last proof of identity is older than ten minutes. `other_method`
 * asks again, for the other kind of code. Rows that have changed since the list was read are not deleted.
 */
export const deletionActions = formActions<StaffActor, null, DeletionConfirmation>({
  reading: { raw: ["current_password"], lists: ["row"] },
})({
  choose: {
    purpose: LIST_PURPOSE,
    invalid: rejectDeletion(NOT_DELETED),
    run: (ctx, actor, posted) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_DELETED,
        reject: backWithError,
        run: (selection) => confirmationPage(ctx, actor, { posted, selection }),
      }),
  },
  other_method: {
    purpose: DELETE_PURPOSE,
    invalid: rejectDeletion(NOT_DELETED),
    run: (ctx, actor, posted) => {
      const method = OTHER_METHOD[methodIn(posted)];
      return withSelection(ctx, actor, posted, {
        tooMany: NOT_DELETED,
        reject: backWithError,
        run: (selection) => confirmationPage(ctx, actor, { posted, selection, method }),
      });
    },
  },
  delete: {
    purpose: DELETE_PURPOSE,
    form: IdentityForm,
    invalid: rejectDeletion(NOT_DELETED),
    run: (ctx, actor, { input: _typed, nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_DELETED,
        reject: backWithError,
        run: async (selection) => {
          const unproven = await missingProof(ctx, actor, posted);
          if (unproven) {
            const confirmation = await deletionConfirmation(ctx, actor, { posted, selection });
            return mapBody(unproven, (validationError) => ({ ...confirmation, validationError }));
          }
          const { changed, skipped, onHold } = await deleteSubmissions(ctx, { selection, nonce });
          if (changed === 0) return backWithError(posted, noneDone(NOT_DELETED, skipped, onHold));
          return backWith(posted, bulkDeleted(changed, skipped, onHold));
        },
      }),
  },
});

const methodIn = ({ fields }: PostedForm): ChallengeMethod => challengeMethod(fields.method);

type ConfirmationInput = { posted: PostedForm; selection: Selection; method?: ChallengeMethod };

const confirmationPage = async (ctx: Ctx, actor: StaffActor, input: ConfirmationInput): Promise<FormResult> =>
  page(await deletionConfirmation(ctx, actor, input));

async function deletionConfirmation(
  ctx: Ctx,
  actor: StaffActor,
  { posted, selection, method = methodIn(posted) }: ConfirmationInput,
): Promise<DeletionConfirmation> {
  return {
    token: issueFormToken(ctx, DELETE_PURPOSE),
    rows: selection.rows.map(({ id, version }) => `${id}.${version}`),
    names: await findNames(ctx.db, selection, NAMES_SHOWN),
    path: listOf(posted),
    identity: hasRecentProof(ctx, actor) ? null : { email: actor.email, mfaEnabled: actor.mfaEnabled, method },
    validationError: null,
  };
}
