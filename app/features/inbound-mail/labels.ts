import { NOBODY_LEFT } from "~/features/tickets/labels";
import type {
  EndReason,
  InboundState,
  MailClass,
  MailDetails,
  PlacedAs,
  Signature,
  Tier,
  UnreadableMail,
} from "./model";

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

export const isListedState = (text: string): text is ListedState => Object.hasOwn(LISTED_STATES, text);

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
  no_organization: "The sender has an account, and belongs to no organization.",
  program_mailbox: "It comes from the mailbox of a program, which we do not answer.",
  shut_out: "The account of the sender is shut out.",
  refused_contact: "A colleague has said that the sender is not one of the organization.",
  staff_unproven: "It claims to come from a colleague, which nothing proves.",
  answers_no_mail: "It comes from a colleague, and is no answer to a mail of ours to them.",
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
  placed: "A colleague has put it there.",
  seen: "The same mail had arrived before.",
  blocked: "The sender is blocked.",
  discarded: "A colleague has discarded it.",
  own_address: "It came from one of our own addresses.",
  automatic: "A program answered, not a person.",
  report: "It tells that a mail of ours was not delivered.",
  gave_up: "It could not be processed.",
};

export const UNREADABLE_LABELS: Record<UnreadableMail, string> = {
  empty: "It could not be read as a mail: it does not begin with headers.",
  headers_too_large: "It could not be read as a mail: its headers are far too large.",
  too_many_headers: "It could not be read as a mail: it has more than 1,000 headers.",
  nesting_too_deep: "It could not be read as a mail: it holds too many parts within parts.",
  unreadable: "It could not be read as a mail: its parts are broken.",
};

export function sizeInWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Says what of a mail is in the original only. */
export const notTaken = ({ isLarge, hasWinmail, refusedFiles = [] }: MailDetails): string[] => [
  ...(isLarge ? ["Only its beginning was read: it is large."] : []),
  ...(hasWinmail ? ["Outlook has packed its files into one, winmail.dat."] : []),
  ...(refusedFiles.length > 0 ? [`Files that were not taken: ${refusedFiles.join(", ")}.`] : []),
];

export const NO_SUBJECT = "(no subject)";

export const CLASS_LABELS: Record<MailClass, { title: string; detail: string }> = {
  person: { title: "A person wrote it", detail: "It bears no sign of a program, and is no report." },
  machine: { title: "A machine sent it", detail: "It may open a ticket, but confirms, reopens and delays nothing." },
  automatic_reply: { title: "A program answered", detail: "Such mail is never answered and moves nothing." },
  delivery_report: { title: "It is a report about a mail of ours", detail: "A mail program sent it." },
};

export const TIER_LABELS: Record<Tier, string> = {
  address: "by the address it was sent to",
  thread: "by the mail it answers",
  provider: "by the mail it answers",
  text: "by the number in the quoted text",
  subject: "by the number in its subject",
};

/** Says what became of a mail that staff have put on a ticket. */
export const PLACED_WORDS: Record<PlacedAs, (reference: string) => string> = {
  message: (reference) => `It is a message on ${reference}.`,
  joined: (reference) => `It is a message on ${reference}, and its sender is on the ticket now.`,
  note: (reference) => `It is an internal note on ${reference}.`,
  ticket: (reference) => `It is ${reference}.`,
  follow_up: (reference) => `The ticket ended too long ago, so it is ${reference}, which goes on from it.`,
};

export const NOT_PLACED = "Nothing was done with this mail";
export const MAIL_NOT_UPDATED = "Failed to update the mail";

const CANNOT_BE_READ = "This mail cannot be read now.";

/** Says why a mail cannot go where staff wanted it. "decided", "mail_not_found": the page itself says it. */
export const PLACING_ERRORS = {
  seen: "The same mail has arrived a second time and is on a ticket already. Block its sender, or leave it.",
  changed: "Something about this mail or its sender was changed at the same moment. Send it again.",
  unreadable: CANNOT_BE_READ,
  blocked: "The sender is blocked. Unblock them first.",
  ticket_not_found: "There is no such ticket. Type its number, like T-1042.",
  organization_not_found: "This organization is not there any more.",
  elsewhere: "The sender belongs to another organization.",
  is_private: "This ticket is private, and the sender is not on it. No mail puts anyone on a private ticket.",
  too_many_copies: "This ticket has as many addresses as it can have.",
  is_colleague: "The address is a colleague's. Put the mail on a ticket: it becomes an internal note there.",
  is_shut_out: "The account of the sender is shut out. Put the mail on a ticket: it becomes an internal note there.",
  person_not_found: "We know no client with this address.",
  person_of_several: "They belong to more than one organization. Put the mail on a ticket instead.",
  address_taken: "The mail comes from the address of another person, or from one of ours, so it cannot be theirs.",
  address_bounces: "Mail to them or to the new address does not arrive now, so they could not be told.",
  no_person: "There is no person to open a ticket for. Put the mail on a ticket: it becomes an internal note there.",
} as const;

export type PlacingError = keyof typeof PLACING_ERRORS | "decided" | "mail_not_found";

export const NOT_SENT_ANYWAY = "The reply was not sent";
export const SENDING_FAILED = "Failed to send the reply";

/** Says why a colleague's held reply is not sent. */
export const SENDING_ERRORS = {
  unreadable: CANNOT_BE_READ,
  ticket_not_found: "The ticket is not there any more.",
  not_theirs: "Only its author or an administrator can send it.",
  could_show_note: "It may show or answer an internal note. Make it a note, and answer on the ticket.",
  empty: "It has neither text nor files that can be sent.",
  sent_already: "This reply is on the ticket already.",
  nobody_left: NOBODY_LEFT,
  written_since: "The ticket has changed since. Look at it, then send the reply again.",
} as const;

export type SendingError = keyof typeof SENDING_ERRORS | "decided" | "mail_not_found";

export const NOT_TRIED = "The mail was not tried";
export const TRY_TOO_LARGE = "A mail that is tried has at most 256 kB";

export const DKIM_LABELS: Record<Signature, string> = {
  aligned: "Its signature holds, and is that of the sender's domain.",
  other_domain: "Its signature holds, but is that of another domain.",
  none: "It bears no signature.",
  fail: "Its signature does not hold: it was changed on its way, or pasted.",
  temperror: "The key of its signature could not be asked for now.",
};

export const ALREADY_DECIDED = "Already decided";

export const MAIL_RETRIED = { title: "Tried again", message: "The mail is read once more within a minute." } as const;
export const SENT_ANYWAY = (name: string, reference: string): string => `It is a reply of ${name} on ${reference}.`;
export const MAIL_DISCARDED = {
  title: "Discarded",
  message: "It is under Dropped until it is deleted. A draft that it became stays.",
} as const;
export const SENDER_BLOCKED = {
  title: "Sender blocked",
  message: "What they sent is no longer held, and further mail from this address is dropped.",
} as const;
export const SENDER_UNBLOCKED = {
  title: "Sender unblocked",
  message: "Mail from this address is read again.",
} as const;
export const NOT_BLOCKABLE = "The sender has an account, so not their address but their account can be shut out.";
