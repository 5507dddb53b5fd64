import { WHY_LATE_LIMIT } from "~/features/tickets/model";
import type { Duration, Instant } from "~/lib/time";

export const LETTERS_PATH = "/admin/letters";
export const letterPath = (id: string): string => `${LETTERS_PATH}/${encodeURIComponent(id)}`;
export const CLIENT_LETTERS_PATH = "/client/letters";
export const clientLetterPath = (id: string): string => `${CLIENT_LETTERS_PATH}/${encodeURIComponent(id)}`;

/** Names the addresses of a letter as a file, for staff and for its organization. */
const LETTER_FILES = { staff: "/admin/exports/letter.pdf", client: "/client/exports/letter.pdf" } as const;

export const letterFilePath = (side: keyof typeof LETTER_FILES, id: string): string =>
  `${LETTER_FILES[side]}?${new URLSearchParams({ letter: id })}`;

/** Names the sentences that staff may add, in their order. */
export const LETTER_SENTENCES = ["Opening", "What we changed", "What we recommend"] as const;
/** Limits the characters of a sentence and of a reason. */
export const SENTENCE_LENGTH = 200;
export const REASON_LENGTH = WHY_LATE_LIMIT;

/** Limits the missed promises that a letter lists, the categories, and the tickets that wait. */
export const MISSES_LISTED = 12;
export const CATEGORIES_LISTED = 6;
export const WAITING_LISTED = 5;

/**
 * Describes a promise that was missed. `answeredAt`: null while nobody has answered. `explained`: what staff said on
 * the ticket of why it was late.
 */
export type Miss = {
  ticket: string;
  title: string;
  dueAt: Instant;
  answeredAt: Instant | null;
  explained?: string | null;
};

/** Holds what is counted of a month for an organization. */
export type LetterFacts = {
  organization: string;
  /** Names the month, `YYYY-MM`. */
  month: string;
  /** Names the time zone in which the month was counted, an IANA name. */
  zone: string;
  plan: string;
  people: number;
  withoutSecondFactor: number;
  created: number;
  resolved: number;
  /** Counts the active tickets at the end of the month. */
  open: number;
  promises: { kept: number; missed: number };
  firstResponse: { median: Duration | null; n: number };
  misses: readonly Miss[];
  asked: readonly { category: string; count: number }[];
  allowances: readonly { label: string; used: string }[];
  waiting: readonly { ticket: string; title: string }[];
};

/** Holds what staff add. A reason stands at the place of its promise, a sentence at its own; either may be empty. */
export type LetterWords = { sentences: readonly string[]; reasons: readonly string[] };

/** Holds a letter in words: page, PDF and mail are made of it, and it is what is kept. */
export type Letter = {
  organization: string;
  month: string;
  /** Names the month, such as "October 2026". */
  title: string;
  /** Names the day on which it was written: "Nov 1, 2026". */
  date: string;
  verdict: string;
  intro: string;
  numbers: readonly { value: string; label: string }[];
  misses: readonly { ticket: string; title: string; promised: string; answered: string; reason: string }[];
  /** Says how many more were missed; empty if all are listed. */
  moreMisses: string;
  asked: readonly { label: string; count: string }[];
  agreed: readonly { label: string; value: string }[];
  waiting: readonly { ticket: string; title: string }[];
  sentences: readonly string[];
};

/** Holds a letter with the name of who released it, which is not part of what is kept for ever. */
export type SignedLetter = { letter: Letter; signedBy: string };

/** Describes a letter in a list. */
export type ListedLetter = {
  id: string;
  organization: string;
  title: string;
  status: "draft" | "released";
  releasedAt: Instant | null;
  /** Counts the promises of the month that were kept; `missed`: those that were not. */
  kept: number;
  missed: number;
};
