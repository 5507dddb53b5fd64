import type { PlatformRole } from "~/access/model";
import type { Brand } from "~/content/brand";
import { type Duration, hours, type Instant, minutes } from "~/lib/time";
import type { OutgoingMail } from "~/platform/mailer.server";

export type FactorChange = "enabled" | "reconfigured" | "disabled" | "codes_renewed";

export type MembershipChange =
  | "approved"
  | "suspended"
  | "reactivated"
  | "removed"
  | "made_admin"
  | "made_member"
  | "made_owner"
  | "no_longer_owner";

export type AccessChange =
  | "deactivated"
  | "reactivated"
  | "sessions_ended"
  | "session_ended"
  | "unlocked"
  | "password_change_required";

/** `path`: the link with its token; `notMePath`: the link of "Wasn't you?", which ends all sessions. */
export type AccountMailData = {
  "email-confirmation": { path: string };
  "account-exists": Record<string, never>;
  "password-reset": { path: string };
  "password-changed": { notMePath: string };
  "password-locked": Record<string, never>;
  "email-change-confirmation": { path: string };
  "email-change-notice": { newEmail: string; undoPath: string };
  "factor-changed": { change: FactorChange; notMePath: string };
  "codes-refused": Record<string, never>;
  "backup-code-used": { codesLeft: number; notMePath: string };
  "new-device": { device: string; network: string; notMePath: string };
  "role-changed": { role: PlatformRole };
  "access-changed": { change: AccessChange };
  /** Tells that an administrator removed the second factor; the link sets up a new one. */
  "factor-reset": { path: string };
  "factor-reset-notice": { name: string; email: string; by: string; reason: string };
  /** Tells somebody what has become of the request to close their account; `reason`: why it was declined. */
  "account-closure": { state: "requested" | "declined" | "closed"; reason: string | null };
  "account-closure-notice": { name: string; email: string; path: string };
  "security-alert": { alerts: readonly { term: string; detail: string }[]; path: string };
};

export const MAIL_STATUS_LABELS = {
  pending: "Queued",
  /** Tells that it waits because no mail can leave now: the provider's quota is used up. */
  delayed: "Delayed",
  sending: "Sending",
  sent: "Sent",
  delivered: "Delivered",
  bounced: "Bounced",
  /** Tells that nobody knows whether it was sent: a person decides about sending it again. */
  uncertain: "Uncertain",
  dead: "Failed",
} as const;

export type MailStatus = keyof typeof MAIL_STATUS_LABELS;

/** Lists the states that a mail does not leave by itself and in which it has not arrived, or perhaps not. */
export const UNDELIVERED = ["bounced", "uncertain", "dead"] as const satisfies readonly MailStatus[];

/** Describes a mail as `/dev/mail` shows it; scripts read these field names. */
export type CapturedMail = OutgoingMail & { status: MailStatus; created_at: Instant };

export type MailFact = { term: string; detail: string };

/** What is stored until it is sent; its subject is looked up then. */
export type MailData = {
  "submission-received": {
    firstName: string;
    message: string | null;
    estimate: readonly MailFact[];
    /** In words; null when it has passed. */
    replyBy: string | null;
  };
  "submission-notice": {
    name: string;
    email: string;
    phone: string | null;
    company: string | null;
    message: string | null;
    estimate: readonly MailFact[];
    file: { name: string; bytes: number } | null;
    replyBy: string | null;
  };
  "submission-update": {
    name: string;
    company: string | null;
    events: readonly MailedEvent[];
    /** Says of a new one until when an answer is promised, and how to reach the visitor. */
    facts: readonly MailFact[];
    estimate: readonly MailFact[];
  };
  "submission-reply": { author: string; message: string };
  /** Tells the provider's own address, once a day at most: from now on submissions are held for review. */
  "submissions-over-cap": { day: string; cap: number; path: string };
  "daily-summary": {
    day: string;
    facts: readonly MailFact[];
    path: string;
    choicesPath: string;
    unsubscribePath: string | null;
  };
  "membership-changed": { organization: string; change: MembershipChange };
  letter: {
    title: string;
    organization: string;
    verdict: string;
    sentences: readonly string[];
    numbers: readonly MailFact[];
    misses: readonly MailFact[];
    signedBy: string;
    path: string;
    /** Holds the path of the page that ends this kind of mail. Null: queued by a version that had no such link. */
    unsubscribePath: string | null;
  };
} & AccountMailData &
  InvitationMailData &
  TicketMailData;

/** They are put together when they leave, and then stored like others. */
type TicketMail = {
  /** Such as `T-1042`. */
  number: string;
  title: string;
  path: string;
  status: string;
  /** In words; null: none is promised. */
  replyBy: string | null;
  /** Holds the time by which it is to be resolved; null: none is promised. Mails of a version before have none. */
  resolveBy?: string | null;
  thread: MailThread;
};

/** Names the thread of a mail, so that an answer to it is matched. */
export type MailThread = {
  /** Holds the signed id that stands first in `References`. */
  id: string;
  /** Holds the address and token for answers; null as long as no mail can be received. */
  reply: { address: string; token: string } | null;
};

export type MailedEvent = {
  sentence: string;
  text: string | null;
};

type TicketUpdate = TicketMail & {
  organization: string;
  isForStaff: boolean;
  events: readonly MailedEvent[];
  earlier: readonly { author: string; at: string; text: string }[];
  /** Holds the two links that answer whether the ticket is solved; null: the mail does not ask. */
  solved: { yes: string; no: string } | null;
  /**
   * Tickets that clients of one organization have opened within a short time: one mail tells staff of all, `path` is
   * their list.
   */
  opened?: readonly { number: string; title: string; by: string; isUrgent: boolean }[] | null;
};

export type TicketMailData = {
  "ticket-received": TicketMail & { message: string };
  "ticket-update": TicketUpdate;
  /** Tells an address that gets copies the public part of it. `path` is the page that ends them. */
  "ticket-copy": TicketMail & Pick<TicketUpdate, "organization" | "events" | "earlier">;
};

/** Describes an invitation. `removePath` is the link of "Not me, remove this invitation". */
type InvitationData = { path: string; removePath: string; inviter: string; role: string; expiresOn: string };
type InvitationMailData = {
  "account-invitation": InvitationData;
  /** Its organization is new until staff have reviewed it. */
  "organization-invitation": InvitationData & { organization: string; isNew: boolean };
};

export type MailKind = keyof MailData;

/** 0: mail somebody is waiting for (reset, verification, invitation, security), sent before the rest. */
export const MAIL_PRIORITIES: Record<MailKind, 0 | 1> = {
  "submission-received": 1,
  "submission-notice": 1,
  "submission-update": 1,
  "submission-reply": 1,
  "submissions-over-cap": 1,
  "daily-summary": 1,
  "email-confirmation": 0,
  "account-exists": 0,
  "account-closure": 0,
  "account-closure-notice": 1,
  "password-reset": 0,
  "password-changed": 0,
  "password-locked": 0,
  "email-change-confirmation": 0,
  "email-change-notice": 0,
  "factor-changed": 0,
  "codes-refused": 0,
  "backup-code-used": 0,
  "new-device": 0,
  "membership-changed": 0,
  "role-changed": 0,
  "access-changed": 0,
  "factor-reset": 0,
  "factor-reset-notice": 0,
  "security-alert": 0,
  "account-invitation": 0,
  "organization-invitation": 0,
  letter: 1,
  "ticket-received": 1,
  "ticket-update": 1,
  "ticket-copy": 1,
};

/** Sets how long the links in these mails work. A mail that could only bring a dead link is not sent any more. */
export const LINK_LIFETIMES = {
  "password-reset": minutes(60),
  "email-confirmation": hours(24),
  "email-change-confirmation": hours(24),
  "factor-reset": hours(24),
} as const satisfies Partial<Record<MailKind, Duration>>;

export const QUOTING_KINDS: readonly MailKind[] = [
  "submission-received",
  "submission-notice",
  "submission-update",
  "submission-reply",
];

export type MailBrand = Pick<Brand, "name" | "email" | "phone" | "hours" | "color" | "logo"> & {
  origin: string;
};

export type MailSubject = {
  noun: string;
  /** Such as `L-1001`. */
  number: string;
  staffUrl: string;
};

export type TemplateContext = {
  site: MailBrand;
  /** Returns the subject. Throws when it was deleted, or for a kind that is not among the `QUOTING_KINDS`. */
  about: () => MailSubject;
};

export type MailContent = {
  subject: string;
  text: string;
  html: string;
  /** Names the address for answers, when that is not the sender. */
  replyTo?: string;
  headers?: Record<string, string>;
};

export type Template<Kind extends MailKind> = (data: MailData[Kind], context: TemplateContext) => MailContent;

/** All others are codes with which the mail service rejected it. */
const WORDS: Record<string, string> = {
  timeout: "the mail service did not answer",
  unreachable: "the mail service could not be reached",
  not_configured: "no mail service is set up",
  interrupted: "sending was interrupted",
  interrupted_too_often: "sending was interrupted",
  unreadable: "it could not be written",
  not_composed: "it could not be written",
  unknown_kind: "it could not be written",
  erased: "it was removed before it was sent",
  invalid_recipient: "its address is not one that mail can be sent to",
  invalid_header: "its sender or subject is not valid",
  E_RECIPIENT_SUPPRESSED: "earlier mail to this address came back",
  E_RECIPIENT_NOT_ALLOWED: "the mail service may not send to this address",
};

/** By the reason that the outbox keeps (`outbox.last_error`). */
export function failureWords(reason: string): string {
  return WORDS[reason] ?? `the mail service did not accept it (${reason})`;
}
