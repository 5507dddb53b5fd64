import type { StaffActor } from "~/features/auth/guards.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ListRejection } from "~/lib/form";
import { BULK_LIMIT } from "~/lists/bulk";
import { RowForm } from "~/lists/row-form.server";
import { BulkForm } from "~/lists/selection.server";
import { done, forwarded } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { rejectList, rejectListForm } from "~/platform/list-rejection.server";
import { changeSubmissionStatus } from "../change-submission-status.server";
import {
  allUnchanged,
  bulkReleased,
  bulkUpdated,
  CHOOSE_STATUS,
  NONE_SELECTED,
  NOT_DELETED,
  NOT_UPDATED,
  noneDone,
  RELEASED,
  STATUS_NOT_UPDATED,
  STATUS_UPDATED,
  statusUnchanged,
} from "../copy";
import { StatusForm } from "../forms.server";
import { releaseHeld } from "../release-held.server";
import { DELETION_PATH } from "../subject";
import { bulkChangeStatus } from "./bulk-change-status.server";
import { submissionList } from "./definition";
import { submissionRows } from "./definition.server";
import { backWith, LIST_PURPOSE, listOf, withSelection } from "./list-responses.server";
import { releaseManyHeld } from "./release-many-held.server";

/** Handles the forms of the list: those of a row, and those of the bulk bar. */
export const listActions = formActions<StaffActor, null, ListRejection>({ reading: { lists: ["row", "status"] } })({
  status: {
    ability: "submission.change_status",
    purpose: LIST_PURPOSE,
    form: RowForm,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data } = StatusForm.safeParse({ status: posted.lists.status?.[position] });
      if (!data) return rejectList(posted, STATUS_NOT_UPDATED);
      const { status } = data;
      const changed = await changeSubmissionStatus(ctx, actor, { submissionId: id, status, nonce });
      if (!changed.ok) return rejectList(posted, changed.code === "changed_since" ? CHANGED_SINCE : STATUS_NOT_UPDATED);
      const to = `${listOf(posted)}#${id}`;
      return changed.value.changed
        ? done({ to, flash: { kind: "success", ...STATUS_UPDATED } })
        : done({ to, flash: { kind: "info", ...statusUnchanged(status) }, unchanged: true });
    },
  },
  release: {
    ability: "submission.release_held",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: async (ctx, actor, { nonce, ...posted }) => {
      const submissionId = posted.fields.id ?? "";
      const released = await releaseHeld(ctx, actor, { submissionId, nonce: `${nonce}:${submissionId}` });
      return released.ok ? backWith(posted, RELEASED) : rejectList(posted, STATUS_NOT_UPDATED);
    },
  },
  "bulk-status": {
    ability: "submission.change_status",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) => {
      const [chosen] = posted.lists.status ?? [];
      return withSelection(ctx, actor, posted, {
        tooMany: NOT_UPDATED,
        reject: rejectList,
        run: async (selection) => {
          const { data } = StatusForm.safeParse({ status: chosen });
          if (!data) return rejectList(posted, chosen === "" ? CHOOSE_STATUS : NOT_UPDATED);
          const { status } = data;
          const { changed, unchanged, skipped } = await bulkChangeStatus(ctx, actor, { selection, status, nonce });
          if (changed > 0) return backWith(posted, bulkUpdated({ changed, unchanged, skipped, status }));
          if (skipped > 0 || unchanged === 0) return rejectList(posted, noneDone(NOT_UPDATED, skipped));
          return backWith(posted, allUnchanged(unchanged, status), "info");
        },
      });
    },
  },
  "bulk-release": {
    ability: "submission.release_held",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_UPDATED,
        reject: rejectList,
        run: async (selection) => {
          const { changed, skipped } = await releaseManyHeld(ctx, actor, { selection, nonce });
          if (changed === 0) return rejectList(posted, noneDone(NOT_UPDATED, skipped));
          return backWith(posted, bulkReleased(changed, skipped));
        },
      }),
  },
  choose: {
    ability: "submission.delete",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(NOT_DELETED),
    run: (ctx, actor, posted) =>
      withSelection(ctx, actor, posted, {
        tooMany: NOT_DELETED,
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
    invalid: rejectListForm(NONE_SELECTED),
    run: (_ctx, actor, { input: { target, query }, ...posted }) => {
      // Selected rows go into the address by their ids; otherwise the filter does.
      if (target === "all")
        return done({ to: submissionList.exportPath(new URLSearchParams(query)), newDocument: true });
      const { rows } = submissionRows.selectPosted(posted.lists.row ?? [], actor);
      if (rows.length === 0) return rejectList(posted, NONE_SELECTED);
      const ids = rows.slice(0, BULK_LIMIT).map(({ id }) => id);
      return done({ to: submissionList.exportPath(new URLSearchParams({ ids: ids.join(",") })), newDocument: true });
    },
  },
});
