import { fold } from "~/lib/text";
import type { Piece } from "./model";

/** Sets how much of a text is shown before what was found, and in all, in characters. */
const BEFORE = 70;
const LENGTH = 220;

type Folded = { text: string; starts: number[]; ends: number[] };

/** Folds a text and keeps for each folded character where it begins and ends in the text. */
function foldWithPlaces(text: string): Folded {
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

/** Returns where folded terms stand in a text, in order and without overlaps. */
function rangesOf(text: string, terms: readonly string[]): Range[] {
  const folded = foldWithPlaces(text);
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

/** Splits a text into pieces in and outside of what was searched for. `terms`: folded. */
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

/** Tells whether a text has one of the folded terms. */
export const hasMatch = (text: string, terms: readonly string[]): boolean => {
  const folded = fold(text);
  return terms.some((term) => term !== "" && folded.includes(term));
};

/** Returns the part of a text around the first match, with its matches marked. Without one: its beginning. */
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

/** Returns the beginning of the next word, or the place itself in a text without spaces. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space >= 0 && space - at < 30 ? space + 1 : at;
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  return space >= 0 && at - space < 30 ? space : at;
}
