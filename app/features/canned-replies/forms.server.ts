import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";
import { unknownVariableWords, unpairedBracesWords } from "./copy";
import { CANNED_LIMITS, PROPOSED_STATUSES, unknownVariables, unpairedBraces } from "./model";

const tooLong = (name: string, max: number) => `${name} can have at most ${max.toLocaleString("en-US")} characters`;
const orNull = (text: string) => text || null;

/**
 * Checks a canned reply. A variable that does not exist, or whose braces are not closed, is an error: the client would
 * read its braces.
 */
export const CannedReplyForm = absentAsEmpty(
  ["title", "message", "category", "status", "version"],
  z.object({
    title: z
      .string()
      .trim()
      .min(1, "Title is required")
      .max(CANNED_LIMITS.title, tooLong("Title", CANNED_LIMITS.title)),
    message: z
      .string()
      .trim()
      .min(1, "Text is required")
      .superRefine((text, { addIssue }) => {
        const unknown = unknownVariables(text);
        const unpaired = unpairedBraces(text);
        if (unknown.length > 0) addIssue(unknownVariableWords(unknown));
        else if (unpaired !== null) addIssue(unpairedBracesWords(unpaired));
      })
      .max(CANNED_LIMITS.message, tooLong("Text", CANNED_LIMITS.message)),
    category: z.string().trim().max(60, tooLong("Category", 60)).transform(orNull),
    status: z.enum(["", ...PROPOSED_STATUSES]).transform((text) => text || null),
    shared: z.literal("on").optional(),
    version: z
      .string()
      .regex(/^\d{0,9}$/)
      .transform(Number),
  }),
);

export type CannedReplyInput = z.output<typeof CannedReplyForm>;
