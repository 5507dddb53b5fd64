import type { IdentityRequest } from "~/features/auth/model";
import type { MailStatus } from "~/features/mail/model";
import type { ListedNote } from "~/features/notes/model";
import type { Estimate } from "~/features/pricing/estimate";
import type { CappedCount } from "~/lib/capped-count";
import type { ValidationError } from "~/lib/form";
import type { HeldReason } from "~/lib/held-reason";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";

export const SUBMISSION_STATUSES = ["new", "contacted", "resolved"] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** Lists the views beside the ordinary one: what is held for review, what is mine, what is due for a follow-up. */
export const LIST_VIEWS = ["held", "mine", "follow_up"] as const;
export type ListView = (typeof LIST_VIEWS)[number];

/** Lists whose submissions the list can be limited to: those of the person who reads it, and those without an owner. */
export const OWNER_FILTERS = ["me", "none"] as const;

/** Describes a row of the list. */
export type ListedSubmission = {
  id: string;
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
  /** Holds the full name of the person who has it. */
  owner: string | null;
  /** Holds the beginning of the message, in one line. */
  snippet: string | null;
  /** Says how the promise to answer it stands, or why it is held, in words; null where nothing was promised. */
  due: { words: string; isLate: boolean } | null;
  /** Is incremented by every change: a bulk action skips rows that have changed since the list was read. */
  version: number;
};

/** Tells how many submissions there are; held ones count only as held. */
export type SubmissionCounts = Record<SubmissionStatus | "all" | "held", number>;

/** Tells how many submissions the views hold that no counter maintains, as it is shown: "7", or "50+". */
export type ViewCounts = Record<Exclude<ListView, "held">, string>;

/** Counts the submissions of each tab of the list. */
export type TabCounts = SubmissionCounts & ViewCounts;

/** Holds what is shown before many are deleted. */
export type DeletionConfirmation = {
  token: string;
  /** Lists the selected rows, as the second form posts them: `sub_01….3`. */
  rows: readonly string[];
  names: readonly string[];
  /** Holds the address of the list they were selected in. */
  path: string;
  /** Tells how the person proves once more who they are; `null` while the last proof is fresh. */
  identity: IdentityRequest | null;
  validationError: ValidationError | null;
};

/** Describes everything about one submission. */
export type SubmissionRecord = {
  id: string;
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  name: string;
  firstName: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
  replyDueAt: Instant;
  owner: { id: string; name: string } | null;
  /** Names the day of the follow-up, `YYYY-MM-DD`. */
  followUpOn: string | null;
  message: string | null;
  heldReason: HeldReason | null;
  version: number;
  consentAt: Instant;
  consentTermsVersion: string;
  /** Holds what the sender had put together on the pricing page, at the prices of that day. */
  estimate: Estimate | null;
  source: string | null;
  campaign: string | null;
  file: { id: string; name: string; bytes: number } | null;
};

/** Describes who the product knows under the address of a submission, and where they belong. */
export type KnownSender = {
  /** Describes the account; null: the person is invited and has none yet. */
  account: { name: string; role: "admin" | "moderator" | "user" } | null;
  memberships: {
    organizationId: string;
    organization: string;
    role: "owner" | "admin" | "member";
    status: "active" | "pending" | "suspended";
  }[];
};

/** Describes a submission from the same address. */
export type Repeat = { id: string; number: string; status: SubmissionStatus; submittedAt: Instant };

/**
 * Tells where the mail of a reply is. `at`: when it was sent; `reason`: why it was not delivered, where that is known.
 */
export type Delivery = { status: MailStatus; at: Instant | null; reason: string | null };

/** Describes one entry of what happened to a submission. */
export type TimelineEntry = { id: string; actor: string; at: Instant } & (
  | { kind: "status"; to: SubmissionStatus; released: boolean }
  | {
      kind: "assignment";
      owner: string | null;
      followUpOn: string | null;
      ownerChanged: boolean;
      followUpChanged: boolean;
    }
  | { kind: "reply"; actorId: string | null; message: string; delivery: Delivery | null }
);

/** Describes one entry of the conversation about a submission. */
export type ConversationEntry = TimelineEntry | ({ kind: "note"; at: Instant } & ListedNote);

/**
 * Describes an entry as the page shows it. Its words are made on the server, so that browsers do not load the code that
 * makes them.
 */
export type ShownEntry =
  | { kind: "event"; id: string; at: Instant; words: string }
  | { kind: "reply"; id: string; at: Instant; actor: string; message: string; delivery: ShownDelivery | null }
  | Extract<ConversationEntry, { kind: "note" }>;

/** Tells whether a reply is on its way, was sent or was not delivered, with the words for it. */
export type ShownDelivery = { state: "waiting" | "sent" | "failed"; words: string };

/** Lists what the conversation can be limited to. */
export const CONVERSATION_FILTERS = ["all", "mail", "notes"] as const;
export type ConversationFilter = (typeof CONVERSATION_FILTERS)[number];

/** Holds a part of the conversation, oldest entry first. */
export type Conversation<Entry = ConversationEntry> = {
  shown: ConversationFilter;
  entries: Entry[];
  /** Holds the instant before which entries are left out; null where there are none. */
  earlier: Instant | null;
  /** Tells whether later entries are left out. */
  isEarlier: boolean;
  counts: { mail: CappedCount; notes: CappedCount };
};

/** Describes one change of status. `released`: it came out of review, with the status it has. */
export type StatusChange = { id: string; to: SubmissionStatus; actor: string; at: Instant; released: boolean };

const LINK = /(?:https?:\/\/)?www\.|https?:\/\/|\[url|<a\s/gi;
const MAX_LINKS = 5;

/** Tells whether a text looks like advertising: more links than anybody needs, or mark-up of forums and pages. */
export function looksLikeAdvertising(text: string): boolean {
  return (text.match(LINK)?.length ?? 0) > MAX_LINKS || /\[\/?(url|link)[=\]]|<a\s+href/i.test(text);
}

type Sender = { firstName: string; lastName: string; email: string; company: string | null };

/** Returns the text that a search reads, in the form in which it is stored. */
export const submissionSearchText = ({ firstName, lastName, email, company }: Sender): string =>
  fold([firstName, lastName, email, company ?? ""].join(" "));

const NAME_KEY_LENGTH = 60;

/** Sorts after every character: a name of which nothing is left to sort by comes last. */
const LAST_NAME_KEY = "\u{10FFFF}";

/**
 * Returns what a submission is sorted by in the order of names: the name as shown, without regard to case and accents.
 */
export function submissionNameKey({ firstName, lastName }: Pick<Sender, "firstName" | "lastName">): string {
  const name = fold(`${firstName} ${lastName}`);
  return [...name].slice(0, NAME_KEY_LENGTH).join("") || LAST_NAME_KEY;
}

/** Limits the submissions from the same address that a page lists. */
export const REPEAT_LIMIT = 20;

/** Tells the forms of a submission's page apart. */
export type RecordIntent = "handling" | "note" | "reply" | "resend" | "release";

/** Tells which form of that page failed, and why. */
export type RecordFormError = ValidationError & { intent: RecordIntent };

/** Returns "3rd", for "3rd request": 1st, 2nd, 3rd, 4th, 11th, 21st. */
export function ordinal(position: number): string {
  const last = position % 10;
  const teens = position % 100 >= 11 && position % 100 <= 13;
  const ending = teens ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[last] ?? "th");
  return `${position}${ending}`;
}

/** Returns how many of the submissions have been answered, in whole percent. Null while there are none. */
export const responseRate = ({ all, new: unanswered }: Pick<SubmissionCounts, "all" | "new">): number | null =>
  all === 0 ? null : Math.round((100 * (all - unanswered)) / all);
