import type { Instant } from "~/lib/time";

/** Describes a document as what it says, from top to bottom. Where pages end is found out when it is written. */
export type PdfDocument = {
  /** Holds the title in the window of a reader, and in the foot of each page. */
  title: string;
  /**
   * Describes the sender. `color`: that of the brand, such as "#0f5a66"; empty for the default. `hasLogo`: the
   * default mark is not theirs; without a picture of their logo the name stands alone.
   */
  sender: { name: string; lines: readonly string[]; color: string; hasLogo?: boolean; picture?: PdfPicture | null };
  /** Says beside the sender what it is about, to whom and when, in a line each. */
  facts: readonly string[];
  blocks: readonly PdfBlock[];
  createdAt: Instant;
};

/** Holds a picture on white: three bytes for each of its pixels. */
export type PdfPicture = { width: number; height: number; rgb: Uint8Array<ArrayBuffer> };

export type PdfColumn = {
  label: string;
  /** Holds the part of the width, compared with the other columns. */
  share: number;
  isNumber?: boolean;
};

export type PdfBlock =
  | { kind: "title" | "heading"; text: string }
  | { kind: "text"; text: string; isMuted?: boolean }
  | { kind: "figures"; figures: readonly { value: string; label: string }[] }
  | { kind: "list"; items: readonly string[]; isOrdered?: boolean }
  /** Shows a table whose head is repeated on every page. `none` stands for the rows if there are none. */
  | { kind: "table"; columns: readonly PdfColumn[]; rows: readonly (readonly string[])[]; none?: string }
  /** Shows two columns, if they fit beside each other on a page; else one after the other. */
  | { kind: "sides"; left: readonly PdfBlock[]; right: readonly PdfBlock[] };
