import type { ARCHIVE_STATES } from "~/db/schema/archives";
import { days, type Instant } from "~/lib/time";

type ArchiveState = (typeof ARCHIVE_STATES)[number];

/** How long one can be fetched. */
export const ARCHIVE_KEPT = days(7);

/** Stands for an organization where there is none: everything. */
export const EVERYTHING = "";

/** `isInternal`: with what only staff may read. */
export type Archive = {
  id: string;
  isInternal: boolean;
  state: ArchiveState;
  requestedAt: Instant;
  /** In percent. */
  part: number;
  size: number;
  expiresAt: Instant;
};

export const isArchiveActive = (state: ArchiveState): boolean => state === "asked" || state === "making";

/**
 * A name that every system can write, on its own in its folder by the number before it. What people have called a file
 * may be a path, a device or the end of a name. File systems take 255 bytes, and a character may have three.
 */
export function archivedName(index: number, name: string): string {
  const clean = name
    .normalize("NFC")
    .slice(-80)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]+/gu, "_")
    .replace(/[. ]+$/, "");
  return `${index}-${clean || "file"}`;
}
