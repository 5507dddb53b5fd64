import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { MatchCount } from "~/lists/model";

export const STAFF_SEARCH_PATH = "/admin/search";
export const CLIENT_SEARCH_PATH = "/client/search";

export const SEARCH_MIN = 3;

/** And how many are looked at for somebody who sees only some tickets. */
export const MESSAGES_SHOWN = 25;
export const MESSAGES_SCANNED = 150;

export const CONTACTS_SHOWN = 25;

export type Piece = { text: string; isMatch: boolean };

export type Hit = {
  id: string;
  to: string;
  reference: string | null;
  title: readonly Piece[];
  /** "in the description" */
  reason: string | null;
  /** It belongs to the reason: "in a reply of Nov 12, 2026". */
  at: Instant | null;
  excerpt: readonly Piece[] | null;
  details: readonly string[];
};

export type HitGroup = {
  id: string;
  title: string;
  hits: readonly Hit[];
  total: MatchCount;
  /** Null where there is none. */
  listPath: string | null;
  noun: { one: string; many: string };
  note: string | null;
};

const WORDS_MAX = 8;

const PREFIX_MIN = 3;

export const wordsOf = (text: string): string[] =>
  (text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;

type Within = { organizationId: string | null; onlyPublic: boolean };

/** All of these words, or words that begin with them. Null: there is no word. */
export function messageMatch(words: readonly string[], { organizationId, onlyPublic }: Within): string | null {
  if (words.length === 0) return null;
  const terms = words.map((word) => ([...word].length < PREFIX_MIN ? phrase(word) : `${phrase(word)} *`));
  const limits = [
    ...(organizationId === null ? [] : [`state : ${phrase(organizationId)}`]),
    ...(onlyPublic ? [`state : ${phrase("public")}`] : []),
  ];
  return [`message : (${terms.join(" AND ")})`, ...limits].join(" AND ");
}

const BEFORE = 70;
const LENGTH = 220;

type Folded = { text: string; starts: number[]; ends: number[] };

function foldWithPositions(text: string): Folded {
  const folded: Folded = { text: "", starts: [], ends: [] };
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const plain = /\s/u.test(character) ? (folded.text.endsWith(" ") ? "" : " ") : fold(character);
    for (let index = 0; index < plain.length; index += 1) {
      folded.starts.push(at);
      folded.ends.push(end);
    }
    folded.text += plain;
    at = end;
  }
  return folded;
}

type Range = { from: number; to: number };

/** In order and without overlaps. */
function rangesOf(text: string, terms: readonly string[]): Range[] {
  const folded = foldWithPositions(text);
  const found: Range[] = [];
  for (const term of terms) {
    if (!term) continue;
    for (let at = folded.text.indexOf(term); at >= 0; at = folded.text.indexOf(term, at + term.length)) {
      found.push({ from: folded.starts[at] ?? 0, to: folded.ends[at + term.length - 1] ?? 0 });
    }
  }
  found.sort((one, other) => one.from - other.from || other.to - one.to);
  const apart: Range[] = [];
  for (const range of found) {
    const last = apart.at(-1);
    if (!last || range.from >= last.to) apart.push(range);
  }
  return apart;
}

/** `terms`: folded. */
export function markMatches(text: string, terms: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { from, to } of rangesOf(text, terms)) {
    if (from > done) pieces.push({ text: text.slice(done, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    done = to;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMatch: false });
  return pieces;
}

export const hasMatch = (text: string, terms: readonly string[]): boolean => {
  const folded = fold(text);
  return terms.some((term) => term !== "" && folded.includes(term));
};

/** Around the first match; without one, the beginning. */
export function excerptAround(text: string, terms: readonly string[]): Piece[] {
  const oneLine = text.replace(/\s+/gu, " ").trim();
  const first = rangesOf(oneLine, terms)[0]?.from ?? 0;
  const start = first <= BEFORE ? 0 : wordStart(oneLine, first - BEFORE);
  const end = oneLine.length <= start + LENGTH ? oneLine.length : wordEnd(oneLine, start + LENGTH);
  const pieces = markMatches(oneLine.slice(start, end), terms);
  return [
    ...(start > 0 ? [{ text: "… ", isMatch: false }] : []),
    ...pieces,
    ...(end < oneLine.length ? [{ text: " …", isMatch: false }] : []),
  ];
}

/** Or the place itself in a text without spaces. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < 30 ? space + 1 : at;
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  return space >= 0 && at - space < 30 ? space : at;
}
