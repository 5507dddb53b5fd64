import type { MailData } from "~/features/mail/model";
import type { SignedLetter } from "./model";

/** Returns what the mail tells of a letter. */
export const letterMail = (
  { letter, signedBy }: SignedLetter,
  path: string,
): Omit<MailData["letter"], "unsubscribePath"> => ({
  title: letter.title,
  organization: letter.organization,
  verdict: letter.verdict,
  sentences: [...letter.sentences],
  numbers: letter.numbers.map(({ value, label }) => ({ term: label, detail: value })),
  misses: letter.misses.map(({ ticket, title, promised, answered, reason }) => ({
    term: `${ticket} ${title}`,
    detail: `Promised ${promised}, answered ${answered}. ${reason}`,
  })),
  signedBy,
  path,
});
