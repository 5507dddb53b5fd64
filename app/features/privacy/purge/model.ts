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

/** Says how many submissions would go. `isMore`: there are more than were counted. */
export type Counted = { count: number; isMore: boolean };

/** Returns how many its form says that it has shown: one more than was counted where there are more. */
export const numberShown = ({ count, isMore }: Counted): number => (isMore ? count + 1 : count);

/** Describes what would go. */
export type PurgePreview = Counted & {
  days: number;
  onHold: number;
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
