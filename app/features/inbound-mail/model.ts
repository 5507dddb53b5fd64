import { hours, minutes } from "~/lib/time";

export type InboundState = "received" | "processed" | "held" | "automatic" | "bounced" | "dropped" | "failed";

/** What the keys of stored mails begin with. */
export const MAIL_PREFIX = "mail/";

const MIB = 1024 * 1024;

/** Limits a whole mail, in bytes: no larger one is ever handed to us. */
export const MAIL_MAX = 25 * MIB;
/** Up to it a mail is read whole; of larger ones only the beginning is. */
export const READ_MAX = 10 * MIB;

export const MAIL_TRIES = 8;
export const LEASE = minutes(2);

/** Limits how often mail opens one ticket again within an hour: two programs may be answering each other. */
export const REOPENINGS = { limit: 5, within: hours(1) } as const;

/** How the ticket of a mail was found, the surest way first. */
export type Tier = "address" | "thread" | "provider" | "text" | "subject";

/** Why a mail became no message by itself. */
export type HoldReason =
  | "unreadable"
  | "no_sender"
  | "several_senders"
  | "empty"
  | "token_of_another"
  | "unknown_sender"
  | "staff_unproven"
  | "staff_without_factor"
  | "forwards_ticket"
  | "no_original_sender"
  | "unknown_original_sender"
  | "colleague_answered"
  | "answers_note"
  | "untrimmed"
  | "holds_secret"
  | "cc_address"
  | "no_member"
  | "several_organizations"
  | "too_many"
  | "reopened_often"
  | "ended_long_ago";

export type EndReason = HoldReason | "seen" | "blocked" | "own_address" | "automatic" | "report" | "gave_up";

/** What "Why is this here?" says of a mail besides its state. */
export type MailDetails = {
  tier?: Tier;
  /** The domain whose signature the mail bears, if it is that of its sender. */
  checked?: string | null;
  /** Who wrote the mail that staff forward. */
  originalSender?: string;
  isTrimmed?: boolean;
  isCut?: boolean;
  isLarge?: boolean;
  hasWinmail?: boolean;
  /** The names of files that were not taken. */
  refusedFiles?: readonly string[];
  error?: string;
};
