import type { StaffActor } from "~/features/auth/guards.server";
import { addNote } from "~/features/notes/add-note.server";
import { NOTE_ADDED, NOTE_NOT_ADDED } from "~/features/notes/copy";
import { NoteForm } from "~/features/notes/forms.server";
import type { FieldErrors } from "~/lib/form";
import { type ActionResult, done, invalid, notFound } from "~/platform/action-result";
import type { FlashMessage } from "~/platform/flash.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { changeSubmissionStatus } from "../change-submission-status.server";
import {
  ASSIGNED,
  FORM_TOO_OLD,
  NOT_ASSIGNED,
  RELEASED,
  REPLY_FAILED,
  REPLY_QUEUED,
  STATUS_NOT_UPDATED,
  STATUS_UPDATED,
} from "../copy";
import { AssignForm, ReplyForm, StatusForm } from "../forms.server";
import type { RecordFormError, RecordIntent } from "../model";
import { releaseHeld } from "../release-held.server";
import { submissionPath } from "../subject";
import { assignSubmission } from "./assign-submission.server";
import { replyToSubmission } from "./reply-to-submission.server";

type Params = { submissionId: string };

type FormResult = ActionResult<RecordFormError>;

type Messages = { done: Pick<FlashMessage, "title" | "message">; failed: string };

/** Holds the message after a form that worked, and after one that did not. */
const MESSAGES: Record<RecordIntent, Messages> = {
  status: { done: STATUS_UPDATED, failed: STATUS_NOT_UPDATED },
  note: { done: NOTE_ADDED, failed: NOTE_NOT_ADDED },
  assign: { done: ASSIGNED, failed: NOT_ASSIGNED },
  reply: { done: REPLY_QUEUED, failed: REPLY_FAILED },
  release: { done: RELEASED, failed: STATUS_NOT_UPDATED },
};

/** Rejects a form of the page whose token or fields are not valid; `onFields` says what is wrong with the fields. */
const rejectRecordForm =
  (intent: RecordIntent, onFields = (errors: FieldErrors) => ({ title: MESSAGES[intent].failed, errors })) =>
  (problem: FormProblem): FormResult => {
    const tooOld = { title: "Error", errors: { form: FORM_TOO_OLD } };
    const failure = problem.code === "token" ? tooOld : onFields(problem.errors);
    return invalid({ ...failure, values: problem.values, intent });
  };

const NOT_FOUND = ["submission_not_found", "subject_not_found"];

type Outcome = { ok: true } | { ok: false; code: string };

/** Returns to the page, which shows the message for what the command has done; `part` is the part to look at. */
function answer(intent: RecordIntent, params: Params, outcome: Outcome, part = ""): FormResult {
  const to = submissionPath(params.submissionId) + part;
  if (outcome.ok) return done({ to, flash: { kind: "success", ...MESSAGES[intent].done } });
  if (NOT_FOUND.includes(outcome.code)) return notFound();
  return done({ to, flash: { kind: "error", title: "Error", message: MESSAGES[intent].failed } });
}

/** Handles the forms of a submission's page. */
export const recordActions = formActions<StaffActor, Params, RecordFormError>()({
  status: {
    ability: "submission.change_status",
    purpose: "submission-status",
    form: StatusForm,
    // Nothing was typed that could be corrected.
    invalid: rejectRecordForm("status", () => ({ title: "Error", errors: { form: STATUS_NOT_UPDATED } })),
    run: async (ctx, actor, { params, input, nonce }) =>
      answer("status", params, await changeSubmissionStatus(ctx, actor, { ...params, ...input, nonce })),
  },
  note: {
    ability: "note.add",
    purpose: "submission-note",
    form: NoteForm,
    invalid: rejectRecordForm("note"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const subject = { type: "submission", id: params.submissionId } as const;
      const added = await addNote(ctx, actor, { subject, note: input.note, nonce });
      return answer("note", params, added, added.ok ? `#${added.value}` : "");
    },
  },
  assign: {
    ability: "submission.assign",
    purpose: "submission-assign",
    form: AssignForm,
    invalid: rejectRecordForm("assign"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const assignment = { ...params, ownerId: input.owner, followUpOn: input.follow_up_on, nonce };
      return answer("assign", params, await assignSubmission(ctx, actor, assignment));
    },
  },
  reply: {
    ability: "submission.reply",
    purpose: "submission-reply",
    form: ReplyForm,
    invalid: rejectRecordForm("reply"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const reply = { ...params, message: input.message, contacted: input.contacted === "on", nonce };
      return answer("reply", params, await replyToSubmission(ctx, actor, reply));
    },
  },
  release: {
    ability: "submission.release_held",
    purpose: "submission-release",
    invalid: rejectRecordForm("release"),
    run: async (ctx, actor, { params, nonce }) =>
      answer("release", params, await releaseHeld(ctx, actor, { ...params, nonce })),
  },
});
