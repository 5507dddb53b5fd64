import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";

/** Describes what one member of staff wrote to the others about a subject. */
export type Note = {
  id: string;
  authorId: string;
  author: string;
  text: string;
  createdAt: Instant;
  edited: boolean;
  version: number;
};

/** Describes a note with what its reader may do to it. */
export type ListedNote = Note & { mayEdit: boolean; mayDelete: boolean };

export const NOTE_MAX = 5_000;

/** Describes why a note was not changed. `isConflict`: somebody else has changed it since it was opened. */
export type NoteFormError = ValidationError & { isConflict: boolean };
