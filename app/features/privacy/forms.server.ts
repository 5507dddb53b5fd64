import * as z from "zod";
import { ReasonField } from "~/features/audit/record-audit.server";
import { absentAsEmpty } from "~/lib/form";
import { isId } from "~/lib/ids";
import { DAYS_WRONG, HOLD_COPY, wordNotTyped } from "./labels";
import { ERASE_WORD, PURGE_DAYS, PURGE_WORD } from "./model";

const typedWord = (word: string) => z.string().refine((typed) => typed.trim() === word, wordNotTyped(word));

export const EraseForm = absentAsEmpty(["confirm"], z.object({ confirm: typedWord(ERASE_WORD) }));

export const DeclineForm = absentAsEmpty(["reason"], z.object({ reason: ReasonField }));

export const LegalHoldForm = absentAsEmpty(
  ["subject", "reason"],
  z.object({ subject: z.string().trim().min(1, HOLD_COPY.subject_required).max(254), reason: ReasonField }),
);

export const LiftForm = absentAsEmpty(
  ["hold_id", "reason"],
  z.object({ hold_id: z.string().refine((id) => isId("hld", id), HOLD_COPY.hold_gone), reason: ReasonField }),
);

const Days = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, DAYS_WRONG)
  .transform(Number)
  .refine((days) => days >= PURGE_DAYS.min && days <= PURGE_DAYS.max, DAYS_WRONG);

/** Null: there are none. */
export function parseDays(text: string | null): { days: number } | { error: string } | null {
  if (text === null) return null;
  const read = Days.safeParse(text);
  return read.success ? { days: read.data } : { error: DAYS_WRONG };
}

/** `counted`: how many the page has said would go, see `numberShown`. */
export const PurgeForm = absentAsEmpty(
  ["confirm", "days", "counted"],
  z.object({
    confirm: typedWord(PURGE_WORD),
    days: Days,
    counted: z
      .string()
      .regex(/^\d{0,4}$/)
      .transform(Number),
  }),
);
