import { hours, type Instant, minutes } from "~/lib/time";

export type InboundState = "received" | "processed" | "held" | "automatic" | "bounced" | "dropped" | "failed";

export type MailClass = "person" | "automatic_reply" | "delivery_report" | "machine";

/** What the keys of stored mails begin with. */
export const MAIL_PREFIX = "mail/";

/** Limits a whole mail, in bytes: no larger one is ever handed to us. */
export const MAIL_MAX = 25 * 1024 * 1024;

export const MAIL_TRIES = 8;
export const LEASE = minutes(2);

/** Limits how often mail opens one ticket again within an hour: two programs may be answering each other. */
export const REOPENINGS = { limit: 5, within: hours(1) } as const;

/** What the signatures of a mail say of its sender. "temperror": a key could not be asked for now, later may differ. */
export type Signature = "aligned" | "other_domain" | "none" | "fail" | "temperror";

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
  | "no_organization"
  | "program_mailbox"
  | "shut_out"
  | "refused_contact"
  | "staff_unproven"
  | "answers_no_mail"
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

/** "placed": staff have put it there. */
export type EndReason =
  | HoldReason
  | "placed"
  | "seen"
  | "blocked"
  | "discarded"
  | "own_address"
  | "automatic"
  | "report"
  | "gave_up";

/** Why a colleague's reply may be held and still be sent: in all other cases it could show an internal note. */
export const SENDABLE_REASONS: ReadonlySet<EndReason> = new Set([
  "staff_unproven",
  "staff_without_factor",
  "answers_no_mail",
  "colleague_answered",
  "holds_secret",
]);

/** Describes a mail as a list shows it. */
export type ListedMail = {
  id: string;
  state: InboundState;
  class: MailClass | null;
  name: string;
  address: string;
  subject: string;
  reason: EndReason | null;
  receivedAt: Instant;
  ticket: { reference: string; path: string } | null;
  isUndecided: boolean;
  mayBlock: boolean;
  /** It comes from the address of one of the staff. */
  isOfStaff: boolean;
  /** It is a colleague's reply which the reader may send in their name, as far as is known without reading it. */
  isSendable: boolean;
};

/** Describes how a mail came to be where it is. */
export type MailFacts = Omit<MailDetails, "messageId" | "couldShowMore" | "error"> & {
  state: InboundState;
  reason: EndReason | null;
  class: MailClass | null;
  name: string;
  address: string;
  envelopeTo: string;
  receivedAt: Instant;
  size: number;
  ticket: { reference: string; path: string } | null;
  /** The ticket that a stranger names. */
  namedTicket?: string | null;
};

/** `words`: how a message came by the mail. `missing`: what of the mail is in the original only. `size`: in words. */
export type MailOrigin = { id: string; isChecked: boolean; words: string; missing: string; size: string };

export const PLACE_PURPOSE = "mail-place";
export const BLOCK_PURPOSE = "mail-block";
export const DISCARD_PURPOSE = "mail-discard";
export const RETRY_PURPOSE = "mail-retry";

/** Limits a mail that is tried, in bytes. */
export const TRY_MAX = 256 * 1024;

/** Says where a mail would go. */
export type TriedMail = {
  facts: MailFacts;
  would: string;
  dkim: { result: Signature; domain?: string };
  content: { text: string; whole: string | null; files: string[] };
};

/** Tells whether a mail waits for staff to say where it belongs. */
export const isUndecided = (mail: { state: InboundState; reason: string | null; message_id: string | null }): boolean =>
  mail.state === "held" ||
  mail.state === "failed" ||
  (mail.state === "automatic" && mail.message_id === null) ||
  (mail.state === "dropped" && (mail.reason === "blocked" || mail.reason === "discarded"));

/** What became of a mail that staff have put somewhere. "joined": a message, whose sender was put on the ticket. */
export type PlacedAs = "message" | "joined" | "note" | "ticket" | "follow_up";

/** What "Why is this here?" says of a mail besides its state. */
export type UnreadableMail = "empty" | "headers_too_large" | "too_many_headers" | "nesting_too_deep" | "unreadable";

export type MailDetails = {
  /** Why it could not be read as a mail. */
  unreadable?: UnreadableMail;
  tier?: Tier;
  /** The domain whose signature the mail bears, if it is that of its sender. */
  checked?: string | null;
  /** Absent: it was not looked at. */
  signature?: Signature;
  /** Who wrote the mail that staff forward. */
  originalSender?: string;
  /** Without brackets; what we send its sender later refers to it. */
  messageId?: string;
  isTrimmed?: boolean;
  isCut?: boolean;
  /** It forwards, or holds more than what its sender wrote as an answer: sent on, it could show an internal note. */
  couldShowMore?: boolean;
  isLarge?: boolean;
  hasWinmail?: boolean;
  /** The names of files that were not taken. */
  refusedFiles?: readonly string[];
  error?: string;
};
