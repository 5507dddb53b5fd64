import { hasRecentProof, missingProof } from "~/features/auth/confirm-identity.server";
import { IdentityForm } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { type ChallengeMethod, challengeMethod, OTHER_METHOD } from "~/features/auth/model";
import { readSelection } from "~/features/settings/queries.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ListRejection } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { BULK_LIMIT } from "~/lists/model";
import { BulkForm, RowForm, type Selection } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import { formActions, rejectList, rejectListForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, forwarded, mapBody, page } from "~/platform/responses.server";
import { RESULT_ID } from "~/ui/page";
import { changeSubmissionStatus } from "../changes.server";
import { StatusForm } from "../forms.server";
import {
  allUnchanged,
  bulkDeleted,
  bulkReleased,
  bulkUpdated,
  CHOOSE_SUBMISSION_STATUS,
  NO_SUBMISSION_SELECTED,
  noneDone,
  RELEASED,
  SUBMISSION_STATUS_NOT_UPDATED,
  SUBMISSION_STATUS_UPDATED,
  SUBMISSIONS_NOT_DELETED,
  SUBMISSIONS_NOT_UPDATED,
  statusUnchanged,
} from "../labels";
import type { DeletionConfirmation } from "../model";
import { DELETION_PATH, SUBMISSIONS_PATH } from "../subject";
import { bulkChangeStatus, deleteSubmissions, releaseSubmission, releaseSubmissions } from "./commands.server";
import { submissionList } from "./definition";
import { submissionRows } from "./definition.server";
import { findNames } from "./read-list.server";

export const SUBMISSION_LIST_PURPOSE = "submission-list";

const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], SUBMISSIONS_PATH);

const backWith = (
  posted: PostedForm,
  message: { title: string; message: string },
  kind: "success" | "info" = "success",
): ActionResult<never> => done({ to: `${listOf(posted)}#${RESULT_ID}`, flash: { kind, ...message } });

const backWithError = (posted: PostedForm, message: string): ActionResult<never> =>
  done({ to: listOf(posted), flash: { kind: "error", title: "Error", message } });

const rejectDeletion = (message: string) => (_problem: unknown, posted: PostedForm) => backWithError(posted, message);

type Bulk<Body> = {
  tooMany: string;
  reject: (posted: PostedForm, message: string) => ActionResult<Body>;
  run: (selection: Selection) => Promise<ActionResult<Body>>;
};

async function withSelection<Body>(
  ctx: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  posted: PostedForm,
  { tooMany, reject, run }: Bulk<Body>,
): Promise<ActionResult<Body>> {
  const selection = await readSelection(ctx, actor, posted, submissionRows);
  const { length } = selection.rows;
  if (length === 0) return reject(posted, NO_SUBMISSION_SELECTED);
  return length > BULK_LIMIT ? reject(posted, tooMany) : run(selection);
}

export const submissionListActions = formActions<StaffActor, null, ListRejection>({
  reading: { lists: ["row", "status"] },
})({
  status: {
    ability: "submission.change_status",
    purpose: SUBMISSION_LIST_PURPOSE,
    form: RowForm,
    failed: SUBMISSION_STATUS_NOT_UPDATED,
    invalid: rejectListForm(SUBMISSION_STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data } = StatusForm.safeParse({ status: posted.lists.status?.[position] });
      if (!data) return rejectList(posted, SUBMISSION_STATUS_NOT_UPDATED);
      const { status } = data;
      const changed = await changeSubmissionStatus(ctx, actor, { submissionId: id, status, nonce });
      if (!changed.ok)
        return rejectList(posted, changed.code === "changed_since" ? CHANGED_SINCE : SUBMISSION_STATUS_NOT_UPDATED);
      const to = `${listOf(posted)}#${id}`;
      return changed.value.changed
        ? done({ to, flash: { kind: "success", ...SUBMISSION_STATUS_UPDATED } })
        : done({ to, flash: { kind: "info", ...statusUnchanged(status) }, unchanged: true });
    },
  },
  release: {
    ability: "submission.release_held",
    purpose: SUBMISSION_LIST_PURPOSE,
    failed: SUBMISSION_STATUS_NOT_UPDATED,
    invalid: rejectListForm(SUBMISSION_STATUS_NOT_UPDATED),
    run: async (ctx, actor, { nonce, ...posted }) => {
      const submissionId = posted.fields.id ?? "";
      const released = await releaseSubmission(ctx, actor, { submissionId, nonce: `${nonce}:${submissionId}` });
      return released.ok ? backWith(posted, RELEASED) : rejectList(posted, SUBMISSION_STATUS_NOT_UPDATED);
    },
  },
  "bulk-status": {
    ability: "submission.change_status",
    purpose: SUBMISSION_LIST_PURPOSE,
    failed: SUBMISSIONS_NOT_UPDATED,
    invalid: rejectListForm(SUBMISSIONS_NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) => {
      const [chosen] = posted.lists.status ?? [];
      return withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_UPDATED,
        reject: rejectList,
        run: async (selection) => {
          const { data } = StatusForm.safeParse({ status: chosen });
          if (!data) return rejectList(posted, chosen === "" ? CHOOSE_SUBMISSION_STATUS : SUBMISSIONS_NOT_UPDATED);
          const { status } = data;
          const { changed, unchanged, skipped } = await bulkChangeStatus(ctx, actor, { selection, status, nonce });
          if (changed > 0) return backWith(posted, bulkUpdated({ changed, unchanged, skipped, status }));
          if (skipped > 0 || unchanged === 0) return rejectList(posted, noneDone(SUBMISSIONS_NOT_UPDATED, skipped));
          return backWith(posted, allUnchanged(unchanged, status), "info");
        },
      });
    },
  },
  "bulk-release": {
    ability: "submission.release_held",
    purpose: SUBMISSION_LIST_PURPOSE,
    failed: SUBMISSIONS_NOT_UPDATED,
    invalid: rejectListForm(SUBMISSIONS_NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_UPDATED,
        reject: rejectList,
        run: async (selection) => {
          const { changed, skipped } = await releaseSubmissions(ctx, actor, { selection, nonce });
          if (changed === 0) return rejectList(posted, noneDone(SUBMISSIONS_NOT_UPDATED, skipped));
          return backWith(posted, bulkReleased(changed, skipped));
        },
      }),
  },
  choose: {
    ability: "submission.delete",
    purpose: SUBMISSION_LIST_PURPOSE,
    invalid: rejectListForm(SUBMISSIONS_NOT_DELETED),
    run: (ctx, actor, posted) =>
      withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_DELETED,
        reject: rejectList,
        // The page that asks for confirmation has an address, and an ability, of its own.
        run: async () => forwarded(DELETION_PATH),
      }),
  },
  export: {
    ability: "submission.export",
    // Changes nothing: redirects to the file, which has an address of its own.
    purpose: null,
    form: BulkForm,
    invalid: rejectListForm(NO_SUBMISSION_SELECTED),
    run: (_ctx, actor, { input: { target, query }, ...posted }) => {
      // Selected rows go into the address by their ids; otherwise the filter does.
      if (target === "all")
        return done({ to: submissionList.exportPath(new URLSearchParams(query)), newDocument: true });
      const { rows } = submissionRows.selectPosted(posted.lists.row ?? [], actor);
      if (rows.length === 0) return rejectList(posted, NO_SUBMISSION_SELECTED);
      const ids = rows.slice(0, BULK_LIMIT).map(({ id }) => id);
      return done({ to: submissionList.exportPath(new URLSearchParams({ ids: ids.join(",") })), newDocument: true });
    },
  },
});

const DELETE_PURPOSE = "submissions-delete";

const NAMES_SHOWN = 5;

type FormResult = ActionResult<DeletionConfirmation>;

/** `choose` is forwarded from the list, `delete` confirms, `other_method` asks again, for the other kind of code. */
export const deletionActions = formActions<StaffActor, null, DeletionConfirmation>({
  reading: { raw: ["current_password"], lists: ["row"] },
})({
  choose: {
    purpose: SUBMISSION_LIST_PURPOSE,
    invalid: rejectDeletion(SUBMISSIONS_NOT_DELETED),
    run: (ctx, actor, posted) =>
      withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_DELETED,
        reject: backWithError,
        run: (selection) => confirmationPage(ctx, actor, { posted, selection }),
      }),
  },
  other_method: {
    purpose: DELETE_PURPOSE,
    invalid: rejectDeletion(SUBMISSIONS_NOT_DELETED),
    run: (ctx, actor, posted) => {
      const method = OTHER_METHOD[methodIn(posted)];
      return withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_DELETED,
        reject: backWithError,
        run: (selection) => confirmationPage(ctx, actor, { posted, selection, method }),
      });
    },
  },
  delete: {
    purpose: DELETE_PURPOSE,
    form: IdentityForm,
    failed: SUBMISSIONS_NOT_DELETED,
    invalid: rejectDeletion(SUBMISSIONS_NOT_DELETED),
    run: (ctx, actor, { input: _typed, nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: SUBMISSIONS_NOT_DELETED,
        reject: backWithError,
        run: async (selection) => {
          const unproven = await missingProof(ctx, actor, posted);
          if (unproven) {
            const confirmation = await deletionConfirmation(ctx, actor, { posted, selection });
            return mapBody(unproven, (validationError) => ({ ...confirmation, validationError }));
          }
          const { changed, skipped, onHold } = await deleteSubmissions(ctx, { selection, nonce });
          if (changed === 0) return backWithError(posted, noneDone(SUBMISSIONS_NOT_DELETED, skipped, onHold));
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
