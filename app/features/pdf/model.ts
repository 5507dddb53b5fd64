import type { Instant } from "~/lib/time";

/** Where pages end is found out when it is written. */
export type PdfDocument = {
  title: string;
  /**
   * `color`: "#0f5a66"; empty for the default. `hasLogo`: the default mark is not theirs; without a picture of their
   * logo the name stands alone.
   */
  sender: { name: string; lines: readonly string[]; color: string; hasLogo?: boolean; picture?: PdfPicture | null };
  headerLines: readonly string[];
  blocks: readonly PdfBlock[];
  createdAt: Instant;
};

/** On white: three bytes for each pixel. */
export type PdfPicture = { width: number; height: number; rgb: Uint8Array<ArrayBuffer> };

export type PdfColumn = {
  label: string;
  share: number;
  isNumber?: boolean;
};

export type PdfBlock =
  | { kind: "title" | "heading"; text: string }
  | { kind: "text"; text: string; isMuted?: boolean }
  | { kind: "figures"; figures: readonly { value: string; label: string }[] }
  | { kind: "list"; items: readonly string[]; isOrdered?: boolean }
  /** The head is repeated on every page. `none` stands for the rows if there are none. */
  | { kind: "table"; columns: readonly PdfColumn[]; rows: readonly (readonly string[])[]; none?: string }
  /** Beside each other if they fit on a page; else one after the other. */
  | { kind: "sides"; left: readonly PdfBlock[]; right: readonly PdfBlock[] };
