import type { Instant } from "~/lib/time";
import type { MatchCount } from "~/lists/match-count";

export const STAFF_SEARCH_PATH = "/admin/search";
export const CLIENT_SEARCH_PATH = "/client/search";

/** Sets how many characters a search needs. */
export const SEARCH_MIN = 3;

/** Limits the messages of a page, and how many are looked at for somebody who sees only some tickets. */
export const MESSAGES_SHOWN = 25;
export const MESSAGES_LOOKED_AT = 150;

/** Holds a piece of a text: what was searched for, or what stands around it. */
export type Piece = { text: string; isMatch: boolean };

/** Describes something that was found. */
export type Hit = {
  id: string;
  to: string;
  /** Holds the number or the address of what was found, beside the title. */
  reference: string | null;
  title: readonly Piece[];
  /** Says where the words are, if not in the title: "in the description". */
  reason: string | null;
  /** Holds the time that belongs to the reason: "in a reply of Nov 12, 2026". */
  at: Instant | null;
  /** Holds the text around the words. */
  excerpt: readonly Piece[] | null;
  /** Lists further facts, such as status and organization. */
  facts: readonly string[];
};

/** Holds what was found of one kind. */
export type HitGroup = {
  id: string;
  title: string;
  hits: readonly Hit[];
  total: MatchCount;
  /** Holds the address of the list with this search; null where there is none. */
  listPath: string | null;
  noun: { one: string; many: string };
  /** Says how far was looked, where that was not to the end. */
  note: string | null;
};
