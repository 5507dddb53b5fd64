import { type SQL, sql } from "drizzle-orm";
import type { PageKey } from "~/lib/paging";
import { type Instant, seconds } from "~/lib/time";
import type { SubmissionStatus } from "../model";
import type { SubmissionScope } from "./list-filter";

/** The index of texts knows every three letters in a row; shorter terms are in an index of their own. */
const INDEXED_TERM = 3;

export const isShort = (search: string): boolean => [...search].length < INDEXED_TERM;

/** How a status is written in the index of texts, see `search_state` of the table. */
const STATE_WORDS: Record<SubmissionStatus | "held", string> = {
  new: "s.n",
  contacted: "s.c",
  resolved: "s.r",
  held: "s.h",
};

/** A text in the query language of an index, to be found letter by letter: nothing in it has a meaning of its own. */
const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** What is asked of the index of texts: the term, within status, owner and held or not. */
function textQuery({ search = "", held, status, ownerId }: SubmissionScope): string {
  const state = (word: string) => `search_state : ${phrase(word)}`;
  const all = [`search_text : ${phrase(search)}`];
  if (held) all.push(state(STATE_WORDS.held));
  if (status) all.push(state(STATE_WORDS[status]));
  if (ownerId) all.push(state(`@${ownerId}.`));
  const found = `(${all.join(" AND ")})`;
  return held ? found : `${found} NOT ${state(STATE_WORDS.held)}`;
}

/** One or two letters as the index of letters has them: the hexadecimal digits of their bytes. */
const lettersQuery = (search: string) => phrase(Buffer.from(search).toString("hex"));

/** The first row id of a second, as `search_id` of the table counts. */
const firstOf = (at: Instant): number => Math.floor(at / seconds(1)) * 65_536;

const LAST = Number.MAX_SAFE_INTEGER;

type Place = { from: PageKey | null; ascending: boolean };

/**
 * The hits of a term as `FROM … WHERE …` over the alias `f`, whose `rowid` is the `search_id` of the request: beyond a
 * place, between two moments (days begin on the second).
 */
export function hitsOf(scope: SubmissionScope, { from: key, ascending }: Place): SQL {
  const { search = "", from, until } = scope;
  // A key of another order is no place here.
  const place = typeof key?.at === "number" ? key.at : null;
  const lower = Math.max(from === undefined ? -1 : firstOf(from) - 1, place !== null && ascending ? place : -1);
  const upper = Math.min(until === undefined ? LAST : firstOf(until), place !== null && !ascending ? place : LAST);
  const source = isShort(search)
    ? sql`submission_letters f WHERE f.submission_letters MATCH ${lettersQuery(search)}`
    : sql`submission_search f WHERE f.submission_search MATCH ${textQuery(scope)}`;
  // The index makes use of whole numbers only, and a bound value may arrive as another kind.
  return sql`FROM ${source} AND f.rowid > CAST(${lower} AS INTEGER) AND f.rowid < CAST(${upper} AS INTEGER)`;
}
