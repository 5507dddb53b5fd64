import type { Brand } from "~/content/brand";

/** Where a mail stands, and how the screens say it. */
export const MAIL_STATUS_LABELS = {
  pending: "Queued",
  sending: "Sending",
  sent: "Sent",
  delivered: "Delivered",
  bounced: "Bounced",
  /** Nobody knows whether it left: a person decides about sending it again. */
  uncertain: "Uncertain",
  dead: "Failed",
} as const;

export type MailStatus = keyof typeof MAIL_STATUS_LABELS;

/** What is kept with a mail of each kind until it has left. The number of a submission is looked up when it leaves. */
export type MailData = {
  /** To the visitor: we have it, this is what happens next. */
  "submission-received": { submissionId: string; firstName: string };
  /** To the provider's own address: somebody wrote. */
  "submission-notice": {
    submissionId: string;
    name: string;
    email: string;
    company: string | null;
    message: string | null;
  };
};

export type MailKind = keyof MailData;

/** 0 = mail somebody is waiting for to get on (reset, verification, invitation, security); it overtakes the rest. */
export const MAIL_PRIORITIES: Record<MailKind, 0 | 1> = {
  "submission-received": 1,
  "submission-notice": 1,
};

/** What the mails say about the provider. */
export type SiteFacts = Pick<Brand, "name" | "email" | "phone" | "hours"> & {
  /** Scheme and host that links begin with. */
  origin: string;
};

/** What a template may ask beyond its own data. */
export type MailFacts = {
  site: SiteFacts;
  /** `L-1001` for the id of a submission. Throws when there is no such submission any more. */
  numberOf: (submissionId: string) => string;
};

/** What a template makes. */
export type MailContent = {
  subject: string;
  text: string;
  html: string;
  /** Where an answer should go, when that is not the sender. */
  replyTo?: string;
};

export type Template<Kind extends MailKind> = (data: MailData[Kind], facts: MailFacts) => MailContent;
