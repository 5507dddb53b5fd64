import type { Instant } from "~/lib/time";

export const SUBMISSION_STATUSES = ["new", "contacted", "resolved"] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** The status a list is narrowed to; anything that is not one narrows nothing. */
export const statusFilter = (text: string | null): SubmissionStatus | null =>
  SUBMISSION_STATUSES.find((status) => status === text) ?? null;

/** How many requests there are; held ones count only as held. */
export type SubmissionCounts = Record<SubmissionStatus | "all" | "held", number>;

/** One entry of a request's history. */
export type StatusChange = { id: string; to: SubmissionStatus; actor: string; at: Instant };

/** Why a request was set aside for review instead of being counted. */
export const HELD_REASONS = [
  "honeypot",
  "content",
  "too_many",
  "no_bot_token",
  "bot_service_down",
  "over_cap",
] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

const LINK = /https?:\/\/|www\.|\[url|<a\s/gi;
const MAX_LINKS = 5;

/** Signs of advertising: more links than anybody needs, or mark-up of forums and pages. */
export function looksLikeAdvertising(text: string): boolean {
  return (text.match(LINK)?.length ?? 0) > MAX_LINKS || /\[\/?(url|link)[=\]]|<a\s+href/i.test(text);
}
