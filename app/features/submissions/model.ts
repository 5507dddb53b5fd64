import type { IdentityRequest } from "~/features/auth/model";
import type { ThreadEntry } from "~/features/conversation/model";
import type { MailStatus } from "~/features/mail/model";
import type { ListedNote } from "~/features/notes/model";
import type { OrganizationPlan } from "~/features/organizations/model";
import type { ValidationError } from "~/lib/form";
import type { CappedCount } from "~/lib/numbers";
import { fold } from "~/lib/text";
import { type Instant, seconds } from "~/lib/time";

export const SUBMISSION_STATUSES = ["new", "contacted", "resolved"] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

export const LIST_VIEWS = ["held", "mine", "follow_up"] as const;
export type ListView = (typeof LIST_VIEWS)[number];

export const OWNER_FILTERS = ["me", "none"] as const;

export type ListedSubmission = {
  id: string;
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: SubmissionStatus;
  submittedAt: Instant;
  owner: string | null;
  snippet: string | null;
  /** Null where nothing was promised. */
  due: { words: string; isLate: boolean } | null;
  /** Is incremented by every change: a bulk action skips rows that have changed since the list was read. */
  version: number;
};

export type SubmissionCounts = Record<SubmissionStatus | "all" | "held", number>;

/** As shown: "7", or "25+". No counter maintains them. */
export type ViewCounts = Record<Exclude<ListView, "held">, string>;

export type TabCounts = SubmissionCounts & ViewCounts;

export type DeletionConfirmation = {
  token: string;
  /** As the second form posts them: `sub_01….3`. */
  rows: readonly string[];
  names: readonly string[];
  path: string;
  /** `null` while the last proof is fresh. */
  identity: IdentityRequest | null;
  validationError: ValidationError | null;
};

export type KnownSender = {
  /** Null: the person is invited and has none yet. */
  account: {
    name: string;
    role: "admin" | "moderator" | "user";
    status: "unverified" | "pending" | "active" | "deactivated";
  } | null;
  memberships: {
    organizationId: string;
    organization: string;
    role: "owner" | "admin" | "member";
    status: "active" | "pending" | "suspended";
  }[];
};

export type Repeat = { id: string; number: string; status: SubmissionStatus; submittedAt: Instant };

/** `at`: when it was sent. `reason`: why it was not delivered, where that is known. */
export type Delivery = { status: MailStatus; at: Instant | null; nextAt: Instant | null; reason: string | null };

export type TimelineEntry = { id: string; actor: string; at: Instant } & (
  | { kind: "status"; to: SubmissionStatus; released: boolean; unlinked: boolean; madeClient: boolean }
  | {
      kind: "assignment";
      owner: string | null;
      followUpOn: string | null;
      ownerChanged: boolean;
      followUpChanged: boolean;
    }
  | { kind: "reply"; actorId: string | null; message: string; delivery: Delivery | null }
);

export type ConversationEntry = TimelineEntry | ({ kind: "note"; at: Instant } & ListedNote);

/** Its words are made on the server, so that browsers do not load the code that makes them. */
export type ShownEntry = ThreadEntry | Extract<ConversationEntry, { kind: "note" }>;

export const CONVERSATION_FILTERS = ["all", "mail", "notes"] as const;
export type ConversationFilter = (typeof CONVERSATION_FILTERS)[number];

export type SubmissionEntries<Entry = ConversationEntry> = {
  shown: ConversationFilter;
  entries: Entry[];
  /** Entries before it are left out; null: there are none. */
  earlier: Instant | null;
  isEarlier: boolean;
  counts: { mail: CappedCount; notes: CappedCount };
};

export type StatusChange = Omit<Extract<TimelineEntry, { kind: "status" }>, "kind">;

const LINK = /(?:https?:\/\/)?www\.|https?:\/\/|\[url|<a\s/gi;
const MAX_LINKS = 5;

export function looksLikeAdvertising(text: string): boolean {
  return (text.match(LINK)?.length ?? 0) > MAX_LINKS || /\[\/?(url|link)[=\]]|<a\s+href/i.test(text);
}

type Sender = { firstName: string; lastName: string; email: string; company: string | null };

export const submissionSearchText = ({ firstName, lastName, email, company }: Sender): string =>
  fold([firstName, lastName, email, company ?? ""].join(" "));

const NAME_KEY_LENGTH = 60;

/** Sorts after every character: a name of which nothing is left to sort by comes last. */
const LAST_NAME_KEY = "\u{10FFFF}";

/** The name as shown, without regard to case and accents. */
export function submissionNameKey({ firstName, lastName }: Pick<Sender, "firstName" | "lastName">): string {
  const name = fold(`${firstName} ${lastName}`);
  return [...name].slice(0, NAME_KEY_LENGTH).join("") || LAST_NAME_KEY;
}

export const REPEAT_LIMIT = 20;

export type RecordIntent = "handling" | "note" | "reply" | "resend" | "release" | "unlink";

export type RecordFormError = ValidationError & { intent: RecordIntent };

/** "3rd", for "3rd request" */
export function ordinal(position: number): string {
  const last = position % 10;
  const teens = position % 100 >= 11 && position % 100 <= 13;
  const ending = teens ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[last] ?? "th");
  return `${position}${ending}`;
}

/** In whole percent. */
export const responseRate = ({ all, new: unanswered }: Pick<SubmissionCounts, "all" | "new">): number | null =>
  all === 0 ? null : Math.round((100 * (all - unanswered)) / all);

export type FollowUp = {
  number: string;
  to: string;
  name: string;
  organization: string | null;
  owner: string | null;
  /** "Nov 18"; null: today. */
  since: string | null;
};

export type Attribution = { source: string | null; campaign: string | null };

const PART_MAX = 100;
const CONTROL = /\p{Cc}+/gu;

/** No visitor has typed it, so it is cut and never an error. */
const attributionPart = (text: string | null | undefined): string | null =>
  [...(text ?? "").replace(CONTROL, " ").trim()].slice(0, PART_MAX).join("") || null;

/**
 * The first of these that exist: UTM parameters of this URL, then of the page of ours that linked here; for the source
 * only, the site or page that linked here. Nothing is stored in the browser for it.
 */
export function attributionOf(address: URL, referrer: string): Attribution {
  const before = URL.canParse(referrer) ? new URL(referrer) : null;
  const isOurs = before?.origin === address.origin;
  const utm = (name: string) =>
    attributionPart(address.searchParams.get(name)) ?? (isOurs ? attributionPart(before.searchParams.get(name)) : null);
  return { source: utm("utm_source") ?? referrerSource(address, before), campaign: utm("utm_campaign") };
}

function referrerSource(address: URL, before: URL | null): string | null {
  if (!before || !/^https?:$/.test(before.protocol)) return null;
  if (before.origin !== address.origin) return attributionPart(before.host);
  return before.pathname === address.pathname ? null : attributionPart(before.pathname);
}

export const sentAttribution = (values: Record<string, string>): Attribution => ({
  source: attributionPart(values.source),
  campaign: attributionPart(values.campaign),
});

/** How long it can be taken back that a client was made of a submission. */
export const CLIENT_UNDO_WINDOW = seconds(30);

export type SimilarOrganization = {
  id: string;
  name: string;
  plan: OrganizationPlan;
  people: number;
  domains: string | null;
  /** It has a domain of the new one, or exactly its name. */
  isSame: boolean;
};

/** `values.similar`: what is offered instead, as JSON. `values.confirm_known`: the address that belongs elsewhere. */
export type ClientFormError = ValidationError;
