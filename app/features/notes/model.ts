import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";

export type Note = {
  id: string;
  authorId: string;
  author: string;
  text: string;
  createdAt: Instant;
  edited: boolean;
  version: number;
};

export type ListedNote = Note & { mayEdit: boolean; mayDelete: boolean };

export const NOTE_MAX = 5_000;

/** `isConflict`: somebody else has changed it since it was opened. */
export type NoteFormError = ValidationError & { isConflict: boolean };
