import { firstNameOf } from "~/lib/person-name";
import { fold } from "~/lib/text";
import type { Template } from "../model";
import { composeMail } from "./compose";

/**
 * Writes what a member of staff replied, line by line, and adds only the number to quote and, where they have not
 * signed themselves, who wrote it.
 */
export const submissionReply: Template<"submission-reply"> = ({ author, message }, { site, about }) => {
  const { number } = about();
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  return composeMail({
    subject: `Your request ${number}`,
    site,
    replyTo: site.email,
    blocks: [
      ...lines.map((text) => ({ kind: "paragraph" as const, text })),
      ...(isSigned(lines, author) ? [] : [{ kind: "paragraph" as const, text: author }]),
      { kind: "facts", facts: [{ term: "Your reference", detail: number }] },
    ],
  });
};

/** Limits the lines of a signature: name, company, phone. */
const SIGNATURE_LINES = 3;

/** Tells whether a message ends with its author's name on a line, alone or after a greeting: "Best, Jordan". */
function isSigned(lines: readonly string[], author: string): boolean {
  const names = [author, firstNameOf(author)].map(fold);
  return lines.slice(-SIGNATURE_LINES).some((line) => {
    const whole = fold(line).replace(/[\s.!]+$/u, "");
    // A hyphen inside a word is part of a name.
    const last = whole.split(/[,–—]\s*|(?:^|\s)-+\s*/u).at(-1) ?? "";
    return names.includes(whole) || names.includes(last);
  });
}
