export const MODERATION_REASONS = [
  "honeypot",
  "content",
  "too_many",
  "no_bot_token",
  "bot_service_down",
  "over_cap",
] as const;
export type ModerationReason = (typeof MODERATION_REASONS)[number];

/** The activity is searched by these words: see `WORDING_VERSION`. */
export const MODERATION_LABELS: Record<ModerationReason, string> = {
  honeypot: "hidden field filled in",
  content: "looks like advertising",
  too_many: "many submissions from one address",
  no_bot_token: "sent without the bot check",
  bot_service_down: "bot check not reachable",
  over_cap: "above the daily limit",
};
