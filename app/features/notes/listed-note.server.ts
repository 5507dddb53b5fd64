import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import type { ListedNote, Note } from "./model";

/** Returns a note with what this reader may do to it. */
export const listedNote = (actor: Actor, note: Note): ListedNote => ({
  ...note,
  mayEdit: can(actor, "note.edit", { ownerId: note.authorId }),
  mayDelete: can(actor, "note.delete", { ownerId: note.authorId }),
});
