/** Limits the words of a search that messages are searched for. */
const WORDS_MAX = 8;

/** Sets from how many letters on a word also stands for those that begin with it. */
const PREFIX_MIN = 3;

/** Returns the words of a search, as the index of messages splits a text. */
export const wordsOf = (text: string): string[] =>
  (text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);

/** Quotes a text for FTS5, so that nothing in it is read as an operator. */
const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

type Within = { organizationId: string | null; onlyPublic: boolean };

/**
 * Returns the MATCH expression for messages that have all of these words, or words that begin with them, in an
 * organization or everywhere. Null: there is no word.
 */
export function messageMatch(words: readonly string[], { organizationId, onlyPublic }: Within): string | null {
  if (words.length === 0) return null;
  const terms = words.map((word) => ([...word].length < PREFIX_MIN ? phrase(word) : `${phrase(word)} *`));
  const limits = [
    ...(organizationId === null ? [] : [`state : ${phrase(organizationId)}`]),
    ...(onlyPublic ? [`state : ${phrase("public")}`] : []),
  ];
  return [`message : (${terms.join(" AND ")})`, ...limits].join(" AND ");
}
