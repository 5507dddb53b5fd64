import type { StaffActor } from "~/features/auth/guards.server";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/responses.server";
import { deleteNote, EditNoteForm, editNote } from "./commands.server";
import { NOTE_DELETED, NOTE_NOT_DELETED, NOTE_NOT_UPDATED, NOTE_UPDATED } from "./labels";
import type { NoteFormError } from "./model";
import { findNote, listedNote } from "./queries.server";

const EDIT_PURPOSE = "note-edit";
const DELETE_PURPOSE = "note-delete";

type Params = { subject: Subject; noteId: string; back: string };

const failed = ({ back }: Params, message: string): ActionResult<never> =>
  done({ to: back, flash: { kind: "error", title: "Error", message } });

export const editNoteActions = formActions<StaffActor, Params, NoteFormError>({ intentField: null })({
  edit: {
    purpose: EDIT_PURPOSE,
    form: EditNoteForm,
    failed: NOTE_NOT_UPDATED,
    invalid: (problem, { params }) => {
      if (problem.code === "token") return failed(params, NOTE_NOT_UPDATED);
      return invalid({ title: NOTE_NOT_UPDATED, errors: problem.errors, values: problem.values, isConflict: false });
    },
    run: async (ctx, actor, { input, nonce, params, fields }) => {
      const edited = await editNote(ctx, actor, { ...params, ...input, nonce });
      if (edited.ok) return done({ to: params.back, flash: { kind: "success", ...NOTE_UPDATED } });
      if (edited.code === "note_not_found") return notFound();
      return conflict({ title: NOTE_NOT_UPDATED, errors: {}, values: { note: fields.note ?? "" }, isConflict: true });
    },
  },
});

export const deleteNoteActions = formActions<StaffActor, Params, never>({ intentField: null })({
  delete: {
    purpose: DELETE_PURPOSE,
    failed: NOTE_NOT_DELETED,
    invalid: (problem, { params }) => failed(params, reasonOf(problem, NOTE_NOT_DELETED)),
    run: async (ctx, actor, { nonce, params }) => {
      const deleted = await deleteNote(ctx, actor, { ...params, nonce });
      if (!deleted.ok) return notFound();
      return done({ to: params.back, flash: { kind: "success", ...NOTE_DELETED } });
    },
  },
});

type PageContext = Pick<Ctx, "config" | "db" | "now" | "newToken" | "request" | "signedIn" | "form">;

export type NoteAddress = { subject: Subject; noteId: string; path: string; deletionPath: string; back: string };

/** Null: there is no such note, or it is somebody else's. */
export async function loadEditNote(ctx: PageContext, actor: StaffActor, { subject, noteId, path, back }: NoteAddress) {
  const note = await findNote(ctx.db, subject, noteId);
  const listed = note && listedNote(actor, note);
  if (!listed?.mayEdit) return null;
  return {
    note: listed,
    path,
    back: `${back}#${noteId}`,
    token: issueFormToken(ctx, EDIT_PURPOSE),
    hasErrors: ctx.form.isRejected,
  };
}

/** Null: there is no such note, or it is not theirs to delete. */
export async function loadDeleteNote(
  ctx: PageContext,
  actor: StaffActor,
  { subject, noteId, deletionPath, back }: NoteAddress,
) {
  const note = await findNote(ctx.db, subject, noteId);
  const listed = note && listedNote(actor, note);
  if (!listed?.mayDelete) return null;
  return { note: listed, path: deletionPath, back, token: issueFormToken(ctx, DELETE_PURPOSE) };
}
