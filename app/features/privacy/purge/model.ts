import { PRIVACY_PATH, withParams } from "~/lib/addresses";
import type { Instant } from "~/lib/time";

/** Names the page on which old submissions are purged. */
export const PURGE_PATH = `${PRIVACY_PATH}/purge`;

/** Returns the page with what would go that has been quiet for so many days. */
export const purgePreviewPath = (days: number): string => withParams(PURGE_PATH, { days: String(days) });

/** Holds the word that has to be typed before submissions are purged. */
export const PURGE_WORD = "PURGE";

/** Limits the days without activity; with 0 everything goes that is resolved or held for review. */
export const PURGE_DAYS = { min: 0, max: 3_650 };

/** Describes what would go. `isMore`: there is more than was counted. */
export type PurgePreview = {
  days: number;
  count: number;
  onHold: number;
  isMore: boolean;
  files: number;
  notes: number;
};

/** Describes a purge that was asked for. `finishedAt` null: it goes on. */
export type Purge = {
  id: string;
  requestedAt: Instant;
  quietSince: Instant;
  submissions: number;
  files: number;
  notes: number;
  onHold: number;
  finishedAt: Instant | null;
};
