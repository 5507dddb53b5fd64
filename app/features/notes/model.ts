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
