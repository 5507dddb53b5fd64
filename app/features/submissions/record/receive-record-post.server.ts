import type { Ability } from "~/access/policy";
import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { addNote } from "~/features/notes/add-note.server";
import { NOTE_ADDED, NOTE_NOT_ADDED } from "~/features/notes/copy";
import { NoteForm } from "~/features/notes/forms.server";
import { echo, type ParsedForm, parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { invalid, redirectWithFlash } from "~/platform/responses.server";
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
import { RECORD_INTENTS, type RecordIntent } from "../model";
import { releaseHeld } from "../release-held.server";
import { submissionPath } from "../subject";
import { assignSubmission } from "./assign-submission.server";
import { replyToSubmission } from "./reply-to-submission.server";

/** Who may do what on the page of a request, and what is said when it worked or did not. */
const INTENTS: Record<
  RecordIntent,
  { ability: Ability; done: Pick<FlashMessage, "title" | "message">; failed: string }
> = {
  status: { ability: "submission.change_status", done: STATUS_UPDATED, failed: STATUS_NOT_UPDATED },
  note: { ability: "note.add", done: NOTE_ADDED, failed: NOTE_NOT_ADDED },
  assign: { ability: "submission.assign", done: ASSIGNED, failed: NOT_ASSIGNED },
  reply: { ability: "submission.reply", done: REPLY_QUEUED, failed: REPLY_FAILED },
  release: { ability: "submission.release_held", done: RELEASED, failed: STATUS_NOT_UPDATED },
};

const NOT_FOUND = ["submission_not_found", "subject_not_found"];

const purposeOf = (intent: RecordIntent) => `submission-${intent}`;

/** A token for each form of the page; null where the reader may not use it. */
export function recordTokens(ctx: Ctx, actor: StaffActor): Record<RecordIntent, string | null> {
  const tokenFor = (intent: RecordIntent) =>
    can(actor, INTENTS[intent].ability) ? issueFormToken(ctx, purposeOf(intent)) : null;
  return {
    status: tokenFor("status"),
    note: tokenFor("note"),
    assign: tokenFor("assign"),
    reply: tokenFor("reply"),
    release: tokenFor("release"),
  };
}

type Posted = { submissionId: string; fields: Record<string, string> };

/** Carries out one form of the page of a request. Refused texts come back with what was typed. */
export async function receiveRecordPost(ctx: Ctx, actor: StaffActor, { submissionId, fields }: Posted) {
  const here = submissionPath(submissionId);
  const intent = RECORD_INTENTS.find((candidate) => candidate === fields.intent) ?? "status";
  const { ability, done, failed } = INTENTS[intent];
  if (!can(actor, ability)) throw new Response(null, { status: 403, statusText: "Access Denied" });
  const token = checkFormToken(ctx, purposeOf(intent), fields.form_token);
  const again = (sentence: string) =>
    invalid({ title: "Error", errors: { form: sentence }, values: { ...echo(fields, ["form_token"]), intent } });
  if (!token.ok) return again(FORM_TOO_OLD);
  const { nonce } = token.value;
  const work = STEPS[intent];
  const outcome = await work(ctx, actor, { submissionId, nonce, fields });
  if ("refused" in outcome) {
    const { errors, values } = outcome.refused;
    return invalid({ title: failed, errors, values: { ...values, intent } });
  }
  if (!outcome.ok) {
    if (outcome.code === "status_unknown") return again(failed);
    if (NOT_FOUND.includes(outcome.code)) throw new Response(null, { status: 404 });
    return redirectWithFlash(ctx, here, { kind: "error", title: "Error", message: failed });
  }
  return redirectWithFlash(ctx, here, { kind: "success", ...done });
}

type Step = { submissionId: string; nonce: string; fields: Record<string, string> };
type Refused = { refused: Extract<ParsedForm<unknown>, { ok: false }> };
type StepOutcome = { ok: true } | { ok: false; code: string } | Refused;

const STEPS: Record<RecordIntent, (ctx: Ctx, actor: StaffActor, step: Step) => Promise<StepOutcome>> = {
  status: async (ctx, actor, { submissionId, nonce, fields }) => {
    const input = parseForm(StatusForm, fields);
    if (!input.ok) return { ok: false, code: "status_unknown" };
    return changeSubmissionStatus(ctx, actor, { submissionId, status: input.value.status, nonce });
  },
  note: async (ctx, actor, { submissionId, nonce, fields }) => {
    const input = parseForm(NoteForm, fields);
    return input.ok
      ? addNote(ctx, actor, { subject: { type: "submission", id: submissionId }, note: input.value.note, nonce })
      : { refused: input };
  },
  assign: async (ctx, actor, { submissionId, nonce, fields }) => {
    const input = parseForm(AssignForm, { owner: "", follow_up_on: "", ...fields });
    if (!input.ok) return { refused: input };
    const { owner, follow_up_on } = input.value;
    return assignSubmission(ctx, actor, { submissionId, ownerId: owner, followUpOn: follow_up_on, nonce });
  },
  reply: async (ctx, actor, { submissionId, nonce, fields }) => {
    const input = parseForm(ReplyForm, { message: "", ...fields });
    if (!input.ok) return { refused: input };
    const { message, contacted } = input.value;
    return replyToSubmission(ctx, actor, { submissionId, message, contacted: contacted === "on", nonce });
  },
  release: (ctx, actor, { submissionId, nonce }) => releaseHeld(ctx, actor, { submissionId, nonce }),
};
