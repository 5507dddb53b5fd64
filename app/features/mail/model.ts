import type { PlatformRole } from "~/access/model";
import type { Brand } from "~/content/brand";
import type { Instant } from "~/lib/time";
import type { OutgoingMail } from "~/platform/mailer.server";

/** Names the states of a mail as the screens say them. */
export const MAIL_STATUS_LABELS = {
  pending: "Queued",
  sending: "Sending",
  sent: "Sent",
  delivered: "Delivered",
  bounced: "Bounced",
  /** Nobody knows whether it was sent: a person decides about sending it again. */
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
  /** To the visitor: we have it, this is what you sent and what happens next. */
  "submission-received": {
    firstName: string;
    message: string | null;
    /** Empty without one. */
    estimate: readonly MailFact[];
    /** The promised time in words; null when it has passed. */
    replyBy: string | null;
  };
  /** To the provider's own address: there is a new submission. */
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
  /** To a member of staff who wants it: what has happened to a submission, oldest first. */
  "submission-update": { name: string; company: string | null; events: readonly MailedEvent[] };
  /** To the visitor: what a member of staff has answered from the record. */
  "submission-reply": { author: string; message: string };
  /** To the provider's own address, once a day at most: from now on submissions are held for review. */
  "submissions-over-cap": { day: string; cap: number; path: string };
  /** To a member of staff who wants it, each morning: what came the day before, and what waits. */
  "daily-summary": { day: string; facts: readonly MailFact[]; path: string; choicesPath: string };
  /** To a person: somebody has changed their membership of an organization, whose name this is. */
  "membership-changed": { organization: string; change: MembershipChange };
  /** To the owner and the admins of an organization: how a month went, as its letter in the portal says it. */
  letter: {
    title: string;
    organization: string;
    verdict: string;
    sentences: readonly string[];
    numbers: readonly MailFact[];
    misses: readonly MailFact[];
    signedBy: string;
    path: string;
  };
} & AccountMailData &
  InvitationMailData &
  TicketMailData;

/** Describes what mails about tickets have in common. They are put together when they leave, and then stored like others. */
type TicketMail = {
  /** As people quote it: `T-1042`. */
  number: string;
  title: string;
  /** Path of its page, for staff or for the client. */
  path: string;
  /** Status in words. */
  status: string;
  /** The promised time of the next reply in words; null: none is promised. */
  replyBy: string | null;
  thread: MailThread;
};

/** Names the thread of a mail, so that an answer to it is matched. */
export type MailThread = {
  /** Signed id that stands first in `References`. */
  id: string;
  /** Address and token for answers; null as long as no mail can be received. */
  reply: { address: string; token: string } | null;
};

/** Holds what a mail tells of one event. */
export type MailedEvent = {
  /** Says what happened, as a sentence. */
  sentence: string;
  /** Words of a person, or what was done. */
  text: string | null;
};

export type TicketMailData = {
  /** To the client: we have your ticket. */
  "ticket-received": TicketMail & { message: string };
  /** To somebody on the ticket, or to staff: what has happened, oldest first. */
  "ticket-update": TicketMail & {
    organization: string;
    isForStaff: boolean;
    events: readonly MailedEvent[];
    /** Public messages before these, newest first. */
    earlier: readonly { author: string; at: string; text: string }[];
    /** Links of the question whether it is solved; null: it is not asked. */
    solved: { yes: string; no: string } | null;
  };
};

/** Names what changed about a second factor, for the mail that tells its owner. */
export type FactorChange = "enabled" | "reconfigured" | "disabled" | "codes_renewed";

/** Names what has become of somebody's membership of an organization, for the mail that tells them. */
export type MembershipChange =
  | "approved"
  | "suspended"
  | "reactivated"
  | "removed"
  | "made_admin"
  | "made_member"
  | "made_owner"
  | "no_longer_owner";

/** Names what an administrator did about somebody's access, for the mail that tells them. */
export type AccessChange =
  | "deactivated"
  | "reactivated"
  | "sessions_ended"
  | "session_ended"
  | "unlocked"
  | "password_change_required";

/**
 * Describes the data of mails about somebody's account. `path` is the address of the link, with its token; `notMePath`
 * is the link of "Wasn't you?", which ends all sessions.
 */
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
  /** An administrator gave the person another role. */
  "role-changed": { role: PlatformRole };
  "access-changed": { change: AccessChange };
  /** An administrator removed the second factor; the link sets up a new one. */
  "factor-reset": { path: string };
  /** To every administrator: somebody's second factor was removed, by whom and why. */
  "factor-reset-notice": { name: string; email: string; by: string; reason: string };
  /** To every administrator: something looks like an attack. Each fact is an alert: whom it is about, what was found. */
  "security-alert": { alerts: readonly MailFact[]; path: string };
};

/** Describes an invitation. `removePath` is the link of "Not me, remove this invitation". */
type InvitationData = { path: string; removePath: string; inviter: string; role: string; expiresOn: string };
type InvitationMailData = {
  "account-invitation": InvitationData;
  "organization-invitation": InvitationData & { organization: string };
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
};

/** Lists the mails that quote the number of their subject. */
export const QUOTING_KINDS: readonly MailKind[] = [
  "submission-received",
  "submission-notice",
  "submission-update",
  "submission-reply",
];

/** Holds what the mails say about the provider. */
export type MailBrand = Pick<Brand, "name" | "email" | "phone" | "hours"> & {
  /** Scheme and host that links begin with. */
  origin: string;
};

/** Describes the subject of a mail at the moment it is sent. */
export type MailSubject = {
  /** As in "Open the submission". */
  noun: string;
  /** As people quote it: `L-1001`. */
  number: string;
  /** Address of its page for staff, with the origin. */
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
  /** Further headers. */
  headers?: Record<string, string>;
};

export type Template<Kind extends MailKind> = (data: MailData[Kind], context: TemplateContext) => MailContent;
