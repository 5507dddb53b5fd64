import { WHY_LATE_LIMIT } from "~/features/tickets/model";
import { addDays, type Duration, type Instant } from "~/lib/time";

export const LETTERS_PATH = "/admin/letters";
export const letterPath = (id: string): string => `${LETTERS_PATH}/${encodeURIComponent(id)}`;
export const CLIENT_LETTERS_PATH = "/client/letters";
export const clientLetterPath = (id: string): string => `${CLIENT_LETTERS_PATH}/${encodeURIComponent(id)}`;

const LETTER_FILES = { staff: "/admin/exports/letter.pdf", client: "/client/exports/letter.pdf" } as const;

export const letterFilePath = (side: keyof typeof LETTER_FILES, id: string): string =>
  `${LETTER_FILES[side]}?${new URLSearchParams({ letter: id })}`;

export const LETTER_SENTENCES = ["Opening", "What we changed", "What we recommend"] as const;
export const SENTENCE_LENGTH = 200;
export const REASON_LENGTH = WHY_LATE_LIMIT;

export const MISSES_LISTED = 12;
export const CATEGORIES_LISTED = 6;
export const WAITING_LISTED = 5;

/** `answeredAt`: null while nobody has answered. `explained`: why it was late, as staff said on the ticket. */
export type Miss = {
  ticket: string;
  title: string;
  dueAt: Instant;
  answeredAt: Instant | null;
  explained?: string | null;
};

export type LetterMetrics = {
  organization: string;
  /** `YYYY-MM` */
  month: string;
  /** The IANA name of the time zone in which the month was counted. */
  zone: string;
  plan: string;
  people: number;
  withoutSecondFactor: number;
  created: number;
  resolved: number;
  open: number;
  promises: { kept: number; missed: number };
  firstResponse: { median: Duration | null; n: number };
  misses: readonly Miss[];
  asked: readonly { category: string; count: number }[];
  allowances: readonly { label: string; used: string }[];
  waiting: readonly { ticket: string; title: string }[];
};

/** A reason stands at the place of its promise, a sentence at its own; either may be empty. */
export type LetterText = { sentences: readonly string[]; reasons: readonly string[] };

/** Page, PDF and mail are made of it, and it is what is kept. */
export type Letter = {
  organization: string;
  month: string;
  /** "October 2026" */
  title: string;
  /** "Nov 1, 2026" */
  date: string;
  verdict: string;
  intro: string;
  numbers: readonly { value: string; label: string }[];
  misses: readonly { ticket: string; title: string; promised: string; answered: string; reason: string }[];
  /** Empty if all are listed. */
  moreMisses: string;
  asked: readonly { label: string; count: string }[];
  agreed: readonly { label: string; value: string }[];
  waiting: readonly { ticket: string; title: string }[];
  sentences: readonly string[];
};

/** Who released it is not part of what is kept for ever. */
export type SignedLetter = { letter: Letter; signedBy: string };

export type ListedLetter = {
  id: string;
  organization: string;
  title: string;
  status: "draft" | "released";
  releasedAt: Instant | null;
  kept: number;
  missed: number;
};

/** First and last day of a month, `YYYY-MM`. */
export const daysOfMonth = (month: string): { from: string; to: string } => {
  const from = `${month}-01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) };
};
