import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";
import { typedWord } from "../forms.server";
import { DAYS_WRONG } from "./copy";
import { PURGE_DAYS, PURGE_WORD } from "./model";

const Days = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, DAYS_WRONG)
  .transform(Number)
  .refine((days) => days >= PURGE_DAYS.min && days <= PURGE_DAYS.max, DAYS_WRONG);

/** Reads the days of an address; null: there are none. */
export function parseDays(text: string | null): { days: number } | { error: string } | null {
  if (text === null) return null;
  const read = Days.safeParse(text);
  return read.success ? { days: read.data } : { error: DAYS_WRONG };
}

/** Checks what has to be typed. `counted`: how many the page has said would go, see `numberShown`. */
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
