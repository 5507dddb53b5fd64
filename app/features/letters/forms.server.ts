import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";
import { REASON_TOO_LONG, SENTENCE_TOO_LONG } from "./copy";
import { LETTER_SENTENCES, type LetterWords, MISSES_LISTED, REASON_LENGTH, SENTENCE_LENGTH } from "./model";

/** Lists the names of fields that are numbered from 1. */
const numbered = <Name extends string>(name: Name, count: number): `${Name}_${number}`[] =>
  Array.from({ length: count }, (_, index) => `${name}_${index + 1}` as const);

const SENTENCE_FIELDS = numbered("sentence", LETTER_SENTENCES.length);
const REASON_FIELDS = numbered("reason", MISSES_LISTED);

const line = (max: number, tooLong: string) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/g, " ").trim())
    .pipe(z.string().max(max, tooLong));

const Fields = z.object({
  ...Object.fromEntries(SENTENCE_FIELDS.map((name) => [name, line(SENTENCE_LENGTH, SENTENCE_TOO_LONG)])),
  ...Object.fromEntries(REASON_FIELDS.map((name) => [name, line(REASON_LENGTH, REASON_TOO_LONG)])),
  version: z
    .string()
    .regex(/^\d{0,9}$/)
    .transform(Number),
});

/** Checks what staff add to a letter. */
export const LetterForm: z.ZodType<{ words: LetterWords; version: number }> = absentAsEmpty(
  [...SENTENCE_FIELDS, ...REASON_FIELDS, "version"],
  Fields.transform((fields) => {
    const values = fields as Record<string, string | number>;
    const textOf = (name: string) => String(values[name] ?? "");
    return {
      words: { sentences: SENTENCE_FIELDS.map(textOf), reasons: REASON_FIELDS.map(textOf) },
      version: Number(values.version),
    };
  }),
);

/** Returns the first promises without a reason, by the name of their field. */
export const missingReasons = ({ reasons }: LetterWords, misses: number): string[] =>
  REASON_FIELDS.slice(0, misses).filter((_, index) => !reasons[index]);
