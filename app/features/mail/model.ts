import type { Brand } from "~/content/brand";
import { type Duration, hours, type Instant, minutes } from "~/lib/time";
import type { OutgoingMail } from "~/platform/mailer.server";
import type { AccountMailData, MembershipChange } from "./account-mail-data";

/** Names the states of a mail as the screens say them. */
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

/** Holds one line of a list of facts. */
export type MailFact = { term: string; detail: string };

/**
 * Describes what is stored with a mail of each kind until it is sent. Its subject is looked up when it is sent.
 */
export type MailData = {
  /** Tells the visitor: we have it, this is what you sent and what happens next. */
  "submission-received": {
    firstName: string;
    message: string | null;
    /** Lists what the estimate consists of; empty: none was sent. */
    estimate: readonly MailFact[];
    /** Holds the promised time in words; null when it has passed. */
    replyBy: string | null;
  };
  /** Tells the provider's own address: there is a new submission. */
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
  /** Tells a member of staff who wants it what has happened to a submission, oldest first. */
  "submission-update": {
    name: string;
    company: string | null;
    events: readonly MailedEvent[];
    /** Says of a new one until when an answer is promised, and how to reach the visitor. */
    facts: readonly MailFact[];
    estimate: readonly MailFact[];
  };
  /** Tells the visitor what a member of staff has answered from the record. */
  "submission-reply": { author: string; message: string };
  /** Tells the provider's own address, once a day at most: from now on submissions are held for review. */
  "submissions-over-cap": { day: string; cap: number; path: string };
  /** Tells a member of staff who wants it, each morning, what came the day before, and what waits. */
  "daily-summary": {
    day: string;
    facts: readonly MailFact[];
    path: string;
    choicesPath: string;
    unsubscribePath: string | null;
  };
  /** Tells a person: somebody has changed their membership of an organization, whose name this is. */
  "membership-changed": { organization: string; change: MembershipChange };
  /** Tells the owner and the admins of an organization how a month went, as its letter in the portal says it. */
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

/**
 * Describes what mails about tickets have in common. They are put together when they leave, and then stored like
 * others.
 */
type TicketMail = {
  /** Holds the reference number, shown as `T-1042`. */
  number: string;
  title: string;
  /** Holds the path of its page, for staff or for the client. */
  path: string;
  /** Holds the status in words. */
  status: string;
  /** Holds the promised time of the next reply in words; null: none is promised. */
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

/** Holds what a mail tells of one event. */
export type MailedEvent = {
  /** Says what happened, as a sentence. */
  sentence: string;
  /** Holds the words of a person, or what was done. */
  text: string | null;
};

/** Tells somebody on the ticket, or staff, what has happened, oldest first. */
type TicketUpdate = TicketMail & {
  organization: string;
  isForStaff: boolean;
  events: readonly MailedEvent[];
  /** Lists the public messages before these, newest first. */
  earlier: readonly { author: string; at: string; text: string }[];
  /** Holds the two links that answer whether the ticket is solved; null: the mail does not ask. */
  solved: { yes: string; no: string } | null;
  /**
   * Lists the tickets that clients of the organization have opened within a short time, where this one mail tells staff
   * of all of them. `path` is then the list of them.
   */
  opened?: readonly { number: string; title: string; by: string; isUrgent: boolean }[] | null;
};

export type TicketMailData = {
  /** Tells the client: we have your ticket. */
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

/**
 * Maps each kind to its priority. 0 = mail somebody is waiting for (reset, verification, invitation, security); it is
 * sent before the rest.
 */
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

/** Lists the mails that quote the number of their subject. */
export const QUOTING_KINDS: readonly MailKind[] = [
  "submission-received",
  "submission-notice",
  "submission-update",
  "submission-reply",
];

/** Holds what the mails say about the provider. */
export type MailBrand = Pick<Brand, "name" | "email" | "phone" | "hours" | "color" | "logo"> & {
  /** Holds the scheme and host that links begin with. */
  origin: string;
};

/** Describes the subject of a mail at the moment it is sent. */
export type MailSubject = {
  /** Names the type of the subject, as in "Open the submission". */
  noun: string;
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  /** Holds the address of the subject's page for staff, with the origin. */
  staffUrl: string;
};

/** Holds what a template may use beyond its own data. */
export type TemplateContext = {
  site: MailBrand;
  /** Returns the subject. Throws when it was deleted, or for a kind that is not among the `QUOTING_KINDS`. */
  about: () => MailSubject;
};

/** Holds what a template returns. */
export type MailContent = {
  subject: string;
  text: string;
  html: string;
  /** Names the address for answers, when that is not the sender. */
  replyTo?: string;
  headers?: Record<string, string>;
};

export type Template<Kind extends MailKind> = (data: MailData[Kind], context: TemplateContext) => MailContent;
