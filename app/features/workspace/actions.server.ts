import type { StaffActor } from "~/features/auth/guards.server";
import { notificationActions } from "~/features/notifications/actions.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { safePath } from "~/lib/safe-path";
import { type ActionResult, badRequest, done } from "~/platform/action-result";
import type { FlashMessage } from "~/platform/flash.server";
import { type FormProblem, formActions, reasonOf } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { VIEW_DELETED, VIEW_NOT_SAVED, VIEW_SAVED } from "./copy";
import { deleteSavedView } from "./delete-saved-view.server";
import { dismissAllLiveUpdates, dismissLiveUpdate } from "./dismiss-live-updates.server";
import { DeleteViewForm, DismissAllForm, DismissForm, SaveViewForm } from "./forms.server";
import { saveView } from "./save-view.server";

/** Names the purpose of the tokens of the panel and of the page of notifications, whose forms are the same. */
export const LIVE_PURPOSE = "live";
export const VIEW_PURPOSE = "saved-view";

/** Redirects to the page of the form. */
const back = ({ fields }: PostedForm, flash?: FlashMessage): ActionResult<never> =>
  done({ to: safePath(fields.return_to, ["admin", "account"], SUBMISSIONS_PATH), flash });

/** Dismisses live updates of the person: one, or all that were shown. */
const liveUpdateActions = formActions<StaffActor, null, never>()({
  dismiss: {
    purpose: LIVE_PURPOSE,
    form: DismissForm,
    invalid: badRequest,
    run: async (ctx, _actor, { input, ...posted }) => {
      await dismissLiveUpdate(ctx, input.seq);
      return back(posted);
    },
  },
  dismiss_all: {
    purpose: LIVE_PURPOSE,
    form: DismissAllForm,
    invalid: badRequest,
    run: async (ctx, _actor, { input, ...posted }) => {
      await dismissAllLiveUpdates(ctx, input.through);
      return back(posted);
    },
  },
});

/** Takes the forms of the page of notifications: the person's own, and the live updates of all staff. */
export const staffNotificationActions = formActions<StaffActor, null, never>()({
  ...liveUpdateActions.actions,
  ...notificationActions.actions,
});

const notSaved = (message: string, posted: PostedForm) => back(posted, { kind: "error", title: "Error", message });
const invalidView = (problem: FormProblem, posted: PostedForm) => notSaved(reasonOf(problem, VIEW_NOT_SAVED), posted);

/** Saves the filter of a list under a name, or deletes a saved one. */
export const savedViewActions = formActions<StaffActor, null, never>()({
  save: {
    purpose: VIEW_PURPOSE,
    form: SaveViewForm,
    invalid: invalidView,
    run: async (ctx, actor, { input, ...posted }) => {
      const saved = await saveView(ctx, actor, { ...input, shared: input.shared === "on" });
      return saved.ok ? back(posted, { kind: "success", ...VIEW_SAVED }) : notSaved(VIEW_NOT_SAVED, posted);
    },
  },
  delete: {
    purpose: VIEW_PURPOSE,
    form: DeleteViewForm,
    invalid: invalidView,
    run: async (ctx, actor, { input, ...posted }) => {
      await deleteSavedView(ctx, actor, input.id);
      return back(posted, { kind: "success", ...VIEW_DELETED });
    },
  },
});
