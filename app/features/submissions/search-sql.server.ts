import { type SQL, sql } from "drizzle-orm";
import type { PageKey } from "~/lib/paging";
import type { SubmissionScope } from "./list-filter";
import type { SubmissionStatus } from "./model";

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

/** Row ids of the indexes rise with the moment of arrival; within the same millisecond the number decides. */
const SPAN = sql.raw("2097152");
const firstOf = (at: number): SQL => sql`CAST(${at} AS INTEGER) * ${SPAN}`;
const searchIdOf = ({ at, id }: PageKey): SQL =>
  sql`${firstOf(Number(at))} + CAST(${Number.parseInt(id, 10) || 0} AS INTEGER) % ${SPAN}`;

type Place = { from: PageKey | null; ascending: boolean };

/**
 * The hits of a term as `FROM … WHERE …` over the alias `f`, whose `rowid` is the `search_id` of the request: beyond a
 * place, between two moments. One bound on each side, because the index makes use of no more.
 */
export function hitsOf(scope: SubmissionScope, { from: key, ascending }: Place): SQL {
  const { search = "", from, until } = scope;
  const lower = [
    ...(from === undefined ? [] : [sql`${firstOf(from)} - 1`]),
    ...(key && ascending ? [searchIdOf(key)] : []),
  ];
  const upper = [...(until === undefined ? [] : [firstOf(until)]), ...(key && !ascending ? [searchIdOf(key)] : [])];
  const source = isShort(search)
    ? sql`submission_letters f WHERE f.submission_letters MATCH ${lettersQuery(search)}`
    : sql`submission_search f WHERE f.submission_search MATCH ${textQuery(scope)}`;
  const above = lower.length > 0 ? sql` AND f.rowid > ${closest("max", lower)}` : sql``;
  const below = upper.length > 0 ? sql` AND f.rowid < ${closest("min", upper)}` : sql``;
  return sql`FROM ${source}${above}${below}`;
}

const closest = (pick: "max" | "min", bounds: SQL[]): SQL =>
  bounds.length === 1 ? sql`(${bounds[0]})` : sql`${sql.raw(pick)}(${sql.join(bounds, sql`, `)})`;
