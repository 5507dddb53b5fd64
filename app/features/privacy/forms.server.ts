import * as z from "zod";
import { ReasonField } from "~/features/audit/reason-field.server";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { HOLD_COPY, wordNotTyped } from "./copy";
import { ERASE_WORD } from "./model";

/** Checks a word that has to be typed before something goes for good. */
export const typedWord = (word: string) => z.string().refine((typed) => typed.trim() === word, wordNotTyped(word));

export const EraseForm = absentAsEmpty(["confirm"], z.object({ confirm: typedWord(ERASE_WORD) }));

export const DeclineForm = absentAsEmpty(["reason"], z.object({ reason: ReasonField }));

export const HoldForm = absentAsEmpty(
  ["subject", "reason"],
  z.object({ subject: z.string().trim().min(1, HOLD_COPY.subject_required).max(254), reason: ReasonField }),
);

export const LiftForm = absentAsEmpty(
  ["hold_id", "reason"],
  z.object({ hold_id: z.string().refine((id) => isId("hld", id), HOLD_COPY.hold_gone), reason: ReasonField }),
);
