import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { addNote, NewNoteForm } from "~/features/notes/commands.server";
import { NOTE_ADDED, NOTE_NOT_ADDED } from "~/features/notes/labels";
import { CHANGED_SINCE, FORM_TOO_OLD, TAKEN } from "~/lib/error-texts";
import type { FieldErrors } from "~/lib/form";
import type { FlashMessage } from "~/platform/flash.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { type ActionResult, denied, done, invalid, notFound } from "~/platform/responses.server";
import { unlinkClient } from "../client/make-client.server";
import { ResendForm, SubmissionPropertiesForm, SubmissionReplyForm, UnlinkForm } from "../forms.server";
import {
  CLIENT_ON_HOLD,
  clientUnlinked,
  PROPERTIES_UNCHANGED,
  RELEASED,
  REPLY_FAILED,
  REPLY_QUEUED,
  SUBMISSION_ASSIGNED,
  SUBMISSION_NOT_ASSIGNED,
  SUBMISSION_STATUS_NOT_UPDATED,
  SUBMISSION_STATUS_UPDATED,
  UNLINK_FAILED,
} from "../labels";
import { releaseSubmission } from "../list/commands.server";
import type { RecordFormError, RecordIntent } from "../model";
import { replyToSubmission, resendReply, saveSubmissionProperties } from "./commands.server";
import type { readRecord } from "./read-record.server";

type Params = { submissionId: string; path: string };

export type SubmissionPage = NonNullable<Awaited<ReturnType<typeof readRecord>>> & {
  path: string;
  tokens: Record<keyof typeof recordActions.actions, string | null>;
};

type FormResult = ActionResult<RecordFormError>;

const FAILED: Record<RecordIntent, string> = {
  handling: SUBMISSION_NOT_ASSIGNED,
  note: NOTE_NOT_ADDED,
  reply: REPLY_FAILED,
  resend: REPLY_FAILED,
  release: SUBMISSION_STATUS_NOT_UPDATED,
  unlink: UNLINK_FAILED,
};

const rejectRecordForm =
  (intent: RecordIntent, onFields = (errors: FieldErrors) => ({ title: FAILED[intent], errors })) =>
  (problem: FormProblem): FormResult => {
    const tooOld = { title: "Error", errors: { form: FORM_TOO_OLD } };
    const failure = problem.code === "token" ? tooOld : onFields(problem.errors);
    return invalid({ ...failure, values: problem.values, intent });
  };

const NOT_FOUND = ["submission_not_found", "subject_not_found"];

type Outcome = { ok: true } | { ok: false; code: string };

/** `to`: the part of the page to look at, `#note_01…`. */
type Success = { message: Pick<FlashMessage, "title" | "message"> | null; part?: string };

function answer(intent: RecordIntent, { path }: Params, outcome: Outcome, { message, part = "" }: Success): FormResult {
  if (outcome.ok) return done({ to: path + part, ...(message ? { flash: { kind: "success", ...message } } : {}) });
  if (NOT_FOUND.includes(outcome.code)) return notFound();
  const why = { changed_since: CHANGED_SINCE, taken: TAKEN, on_hold: CLIENT_ON_HOLD }[outcome.code] ?? FAILED[intent];
  return done({ to: path, flash: { kind: "error", title: "Error", message: why } });
}

export const recordActions = formActions<StaffActor, Params, RecordFormError>()({
  handling: {
    ability: "submission.change_status",
    purpose: "submission-handling",
    form: SubmissionPropertiesForm,
    failed: SUBMISSION_STATUS_NOT_UPDATED,
    invalid: rejectRecordForm("handling", (errors) =>
      // A status is chosen: nothing about it could be corrected.
      errors.status
        ? { title: "Error", errors: { form: SUBMISSION_STATUS_NOT_UPDATED } }
        : { title: SUBMISSION_NOT_ASSIGNED, errors },
    ),
    run: async (ctx, actor, { params, input, nonce }) => {
      if (!can(actor, "submission.assign")) return denied();
      const saved = await saveSubmissionProperties(ctx, actor, { submissionId: params.submissionId, ...input, nonce });
      if (saved.ok && !saved.value.status && !saved.value.assignment)
        return done({ to: params.path, flash: { kind: "info", ...PROPERTIES_UNCHANGED }, unchanged: true });
      const message = saved.ok && saved.value.status ? SUBMISSION_STATUS_UPDATED : SUBMISSION_ASSIGNED;
      return answer("handling", params, saved, { message });
    },
  },
  note: {
    ability: "note.add",
    purpose: "submission-note",
    form: NewNoteForm,
    failed: FAILED.note,
    invalid: rejectRecordForm("note"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const subject = { type: "submission", id: params.submissionId } as const;
      const added = await addNote(ctx, actor, { subject, note: input.note, nonce });
      return answer("note", params, added, { message: NOTE_ADDED, part: added.ok ? `#${added.value}` : "" });
    },
  },
  reply: {
    ability: "submission.reply",
    purpose: "submission-reply",
    form: SubmissionReplyForm,
    failed: FAILED.reply,
    invalid: rejectRecordForm("reply"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const reply = {
        submissionId: params.submissionId,
        message: input.message,
        contacted: input.contacted === "on",
        assignToMe: input.assign_to_me === "on",
        nonce,
      };
      const replied = await replyToSubmission(ctx, actor, reply);
      return answer("reply", params, replied, { message: REPLY_QUEUED, part: replied.ok ? `#${replied.value}` : "" });
    },
  },
  resend: {
    ability: "submission.reply",
    purpose: "submission-resend",
    form: ResendForm,
    invalid: rejectRecordForm("resend", () => ({ title: "Error", errors: { form: REPLY_FAILED } })),
    run: async (ctx, _actor, { params, input, nonce }) => {
      const { reply } = input;
      // All replies of a page share a token: without the id, a second one would count as the first form posted again.
      const resend = { submissionId: params.submissionId, replyId: reply, nonce: `${nonce}:${reply}` };
      const resent = await resendReply(ctx, resend);
      const message = resent.ok && resent.value.isSent ? REPLY_QUEUED : null;
      return answer("resend", params, resent, { message, part: `#${reply}` });
    },
  },
  release: {
    ability: "submission.release_held",
    purpose: "submission-release",
    invalid: rejectRecordForm("release"),
    run: async (ctx, actor, { params, nonce }) => {
      const released = await releaseSubmission(ctx, actor, { submissionId: params.submissionId, nonce });
      return answer("release", params, released, { message: RELEASED });
    },
  },
  unlink: {
    ability: "organization.manage",
    purpose: "submission-unlink",
    form: UnlinkForm,
    invalid: rejectRecordForm("unlink", () => ({ title: "Error", errors: { form: UNLINK_FAILED } })),
    run: async (ctx, actor, { params, input, nonce }) => {
      const { submissionId } = params;
      const unlinked = await unlinkClient(ctx, actor, { submissionId, organizationId: input.organization_id, nonce });
      return answer("unlink", params, unlinked, { message: clientUnlinked });
    },
  },
});
