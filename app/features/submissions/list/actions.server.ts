import type { StaffActor } from "~/features/auth/guards.server";
import { BULK_LIMIT } from "~/lists/bulk";
import { BulkForm } from "~/lists/selection.server";
import { done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { changeSubmissionStatus } from "../change-submission-status.server";
import {
  bulkReleased,
  bulkUpdated,
  NONE_SELECTED,
  NOT_UPDATED,
  RELEASED,
  STATUS_NOT_UPDATED,
  STATUS_UPDATED,
} from "../copy";
import { RowStatusForm, StatusForm } from "../forms.server";
import { releaseHeld } from "../release-held.server";
import { bulkChangeStatus } from "./bulk-change-status.server";
import { submissionList } from "./definition";
import { submissionRows } from "./definition.server";
import { backWith, backWithError, LIST_PURPOSE, listOf, rejectListForm, withSelection } from "./list-responses.server";
import { releaseManyHeld } from "./release-many-held.server";

/** Handles the forms of the list: those of a row, and those of the bulk bar. */
export const listActions = formActions<StaffActor, null, never>({ reading: { lists: ["row"] } })({
  status: {
    ability: "submission.change_status",
    purpose: LIST_PURPOSE,
    form: RowStatusForm,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, status }, nonce: token, ...posted }) => {
      // All rows of a page share a token: without the id, saving a second row would count as the first form
      // posted again.
      const nonce = `${token}:${id}:${status}`;
      const changed = await changeSubmissionStatus(ctx, actor, { submissionId: id, status, nonce });
      if (!changed.ok) return backWithError(posted, STATUS_NOT_UPDATED);
      return done({ to: `${listOf(posted)}#${id}`, flash: { kind: "success", ...STATUS_UPDATED } });
    },
  },
  release: {
    ability: "submission.release_held",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: async (ctx, actor, { nonce, ...posted }) => {
      const submissionId = posted.fields.id ?? "";
      const released = await releaseHeld(ctx, actor, { submissionId, nonce: `${nonce}:${submissionId}` });
      return released.ok ? backWith(posted, RELEASED) : backWithError(posted, STATUS_NOT_UPDATED);
    },
  },
  "bulk-status": {
    ability: "submission.change_status",
    purpose: LIST_PURPOSE,
    form: StatusForm,
    invalid: rejectListForm(NOT_UPDATED),
    run: (ctx, actor, { input: { status }, nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_UPDATED,
        run: async (selection) => {
          const { changed, skipped } = await bulkChangeStatus(ctx, actor, { selection, status, nonce });
          return backWith(posted, bulkUpdated(changed, status, skipped));
        },
      }),
  },
  "bulk-release": {
    ability: "submission.release_held",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_UPDATED,
        run: async (selection) => {
          const { changed, skipped } = await releaseManyHeld(ctx, actor, { selection, nonce });
          return backWith(posted, bulkReleased(changed, skipped));
        },
      }),
  },
  export: {
    ability: "submission.export",
    // Changes nothing: redirects to the file, which has an address of its own.
    purpose: null,
    form: BulkForm,
    invalid: rejectListForm(NONE_SELECTED),
    run: (_ctx, actor, { input: { target, query }, ...posted }) => {
      // Selected rows go into the address by their ids; otherwise the filter does.
      if (target === "all") return done({ to: submissionList.exportPath(new URLSearchParams(query)) });
      const { rows } = submissionRows.selectPosted(posted.lists.row ?? [], actor);
      if (rows.length === 0) return backWithError(posted, NONE_SELECTED);
      const ids = rows.slice(0, BULK_LIMIT).map(({ id }) => id);
      return done({ to: submissionList.exportPath(new URLSearchParams({ ids: ids.join(",") })) });
    },
  },
});
