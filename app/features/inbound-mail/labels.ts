import type { EndReason, InboundState, Tier } from "./model";

export const INBOUND_MAIL = "Mail";

/** The states that a list shows: what needs a person first. */
export const LISTED_STATES = {
  held: "Held",
  failed: "Failed",
  automatic: "Automatic",
  bounced: "Bounced",
  dropped: "Dropped",
  all: "All",
} as const;

export type ListedState = keyof typeof LISTED_STATES;

export const INBOUND_STATE_LABELS: Record<InboundState, string> = {
  received: "Waiting",
  processed: "On a ticket",
  held: "Held",
  automatic: "Automatic",
  bounced: "Bounced",
  dropped: "Dropped",
  failed: "Failed",
};

/** Answers "Why is this here?". */
export const REASON_LABELS: Record<EndReason, string> = {
  unreadable: "It could not be read as a mail.",
  no_sender: "It names no sender.",
  several_senders: "It names more than one sender.",
  empty: "It has neither text nor files.",
  token_of_another: "It was sent to the reply address of another person.",
  unknown_sender: "We know no person with this address, and no organization with its domain.",
  staff_unproven: "It claims to come from a colleague, which nothing proves.",
  staff_without_factor: "It comes from a colleague who has not set up two-step sign-in.",
  forwards_ticket: "A colleague forwards a mail of this ticket.",
  no_original_sender: "It comes from a colleague, names no ticket, and forwards no mail of a client.",
  unknown_original_sender:
    "A colleague forwards it, and we know neither its sender nor an organization with their domain.",
  colleague_answered: "A colleague has answered first. It is a draft of its sender.",
  answers_note: "It answers or quotes an internal note. It is a draft of its sender.",
  untrimmed: "What it quotes could not be told from the answer. It is a draft of its sender.",
  holds_secret: "It seems to hold a password or a card number. It is a draft of its sender.",
  cc_address: "The address is only in cc of the ticket.",
  no_member: "The sender does not belong to the organization of the ticket.",
  several_organizations: "The sender belongs to more than one organization.",
  too_many: "Too many mails or files came from this address or organization in a short time.",
  reopened_often: "Mail has opened this ticket again too often within an hour.",
  ended_long_ago: "The ticket ended more than 14 days ago.",
  seen: "The same mail had arrived before.",
  blocked: "The sender is blocked.",
  own_address: "It came from one of our own addresses.",
  automatic: "A program answered, not a person.",
  report: "It tells that a mail of ours was not delivered.",
  gave_up: "It could not be processed.",
};

export const TIER_LABELS: Record<Tier, string> = {
  address: "by the address it was sent to",
  thread: "by the mail it answers",
  provider: "by the mail it answers",
  text: "by the number in the quoted text",
  subject: "by the number in its subject",
};

export const MAIL_RETRIED = { title: "Tried again", message: "The mail is read once more within a minute." } as const;
export const SENDER_BLOCKED = {
  title: "Sender blocked",
  message: "Further mail from this address is dropped.",
} as const;
export const SENDER_UNBLOCKED = {
  title: "Sender unblocked",
  message: "Mail from this address is read again.",
} as const;
