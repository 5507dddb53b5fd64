import * as z from "zod";
import { NOTE_REQUIRED, NOTE_TOO_LONG } from "./copy";
import { NOTE_MAX } from "./model";

const note = z.string().default("").pipe(z.string().trim().min(1, NOTE_REQUIRED).max(NOTE_MAX, NOTE_TOO_LONG));

export const NoteForm = z.object({ note });

/** Checks an edited note. `version` is the one the person has read; later changes are shown to them first. */
export const EditNoteForm = z.object({
  note,
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});
