import type { StaffActor } from "~/features/auth/guards.server";
import type { Subject } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { DELETE_PURPOSE, EDIT_PURPOSE } from "./actions.server";
import { listedNote } from "./listed-note.server";
import { findNote } from "./queries.server";

type PageContext = Pick<Ctx, "config" | "db" | "now" | "newToken" | "request" | "signedIn" | "form">;

/** Says what the address of a note's page names: the note, its own addresses, and the way back. */
export type NoteAddress = { subject: Subject; noteId: string; path: string; deletionPath: string; back: string };

/** Loads the page that changes a note. Null: there is no such note, or it is somebody else's. */
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

/** Loads the page that asks before a note is deleted. Null: there is no such note, or it is not theirs to delete. */
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
