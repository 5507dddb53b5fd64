import type { StaffActor } from "~/features/auth/guards.server";
import type { Subject } from "~/lib/subject";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { NOTE_DELETED, NOTE_NOT_DELETED, NOTE_NOT_UPDATED, NOTE_UPDATED } from "./copy";
import { deleteNote } from "./delete-note.server";
import { editNote } from "./edit-note.server";
import { EditNoteForm } from "./forms.server";
import type { NoteFormError } from "./model";

export const EDIT_PURPOSE = "note-edit";
export const DELETE_PURPOSE = "note-delete";

/** Names the note, and the page it is on. */
type Params = { subject: Subject; noteId: string; back: string };

const failed = ({ back }: Params, message: string): ActionResult<never> =>
  done({ to: back, flash: { kind: "error", title: "Error", message } });

/** Handles the form of the page that edits a note. */
export const editNoteActions = formActions<StaffActor, Params, NoteFormError>({ intentField: null })({
  edit: {
    purpose: EDIT_PURPOSE,
    form: EditNoteForm,
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

/** Handles the form of the page that asks whether to delete a note. */
export const deleteNoteActions = formActions<StaffActor, Params, never>({ intentField: null })({
  delete: {
    purpose: DELETE_PURPOSE,
    invalid: (_problem, { params }) => failed(params, NOTE_NOT_DELETED),
    run: async (ctx, actor, { nonce, params }) => {
      const deleted = await deleteNote(ctx, actor, { ...params, nonce });
      if (!deleted.ok) return notFound();
      return done({ to: params.back, flash: { kind: "success", ...NOTE_DELETED } });
    },
  },
});
