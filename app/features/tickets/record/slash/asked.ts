import type { OfferedReply } from "~/features/canned-replies/queries.server";

/** Says where a slash stands that asks for a saved reply, and what follows it up to the caret. */
export type Asked = { start: number; query: string };

const LONGEST_QUERY = 40;

/** Finds a slash at the start of the line of the caret. Null: there is none, or what follows it is no name. */
export function askedAt(text: string, caret: number): Asked | null {
  const start = text.lastIndexOf("\n", caret - 1) + 1;
  const [slash, ...query] = text.slice(start, caret);
  if (slash !== "/" || query.length > LONGEST_QUERY || query[0] === " ") return null;
  return { start, query: query.join("") };
}

/** Returns the replies whose name has every word of a query. */
export function repliesFor(replies: readonly OfferedReply[], query: string): OfferedReply[] {
  const words = query.toLowerCase().split(/\s+/);
  return replies.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
