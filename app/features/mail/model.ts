import type { Instant } from "~/lib/time";
import type { OutgoingMail } from "~/platform/mailer.server";

/** Stands above what a mail of ours quotes, in text and HTML, so that an answer is told from it. */
export const REPLY_MARKER = "— Reply above this line —";

export const MAIL_STATUS_LABELS = {
  pending: "Queued",
  /** It waits because no mail can leave now: the provider's quota is used up. */
  delayed: "Delayed",
  sending: "Sending",
  sent: "Sent",
  delivered: "Delivered",
  /** Mail to its address came back: it waits for the end of that. */
  held: "Address bounces, held",
  bounced: "Bounced",
  /** Nobody knows whether it was sent: a person decides about sending it again. */
  uncertain: "Uncertain",
  dead: "Failed",
  /** It has not arrived, and a person has decided that it need not. */
  left: "Not delivered",
} as const;

/** Why a mail waits whose address is held, as the outbox keeps it. */
export const ADDRESS_HELD = "address_held";

export type MailStatus = keyof typeof MAIL_STATUS_LABELS;

/** States that a mail does not leave by itself and in which it has not arrived, or perhaps not. */
export const UNDELIVERED = ["bounced", "uncertain", "dead"] as const satisfies readonly MailStatus[];

export const CAPTURED_MAIL_PATH = "/dev/mail";

/** `until`: null until a person lifts it. `zone`: that of the site, in which the time is shown. */
export type HeldAddress = { email: string; until: Instant | null; reason: string; zone: string };

/** Scripts read these field names. */
export type CapturedMail = Omit<OutgoingMail, "files"> & { status: MailStatus; created_at: Instant };

/** All others are codes with which the mail service rejected it. */
const FAILURES: Record<string, string> = {
  timeout: "the mail service did not answer",
  unreachable: "the mail service could not be reached",
  not_configured: "no mail service is set up",
  interrupted: "sending was interrupted",
  interrupted_too_often: "sending was interrupted",
  unreadable: "it could not be written",
  not_composed: "it could not be written",
  unknown_kind: "it could not be written",
  returned: "it came back: the address does not take it",
  not_reachable: "it came back: the mailbox is full or cannot be reached",
  complained: "its recipient has reported it as spam",
  rejected: "the mail service refused it",
  address_held: "earlier mail to this address came back",
  E_DELIVERY_FAILED: "the mail service could not deliver it",
  erased: "it was removed before it was sent",
  invalid_recipient: "its address is not one that mail can be sent to",
  invalid_header: "its sender or subject is not valid",
  E_RECIPIENT_SUPPRESSED: "earlier mail to this address came back",
  E_RECIPIENT_NOT_ALLOWED: "the mail service may not send to this address",
};

/** By the reason that the outbox keeps (`outbox.last_error`). */
export function failureWords(reason: string): string {
  return FAILURES[reason] ?? `the mail service did not accept it (${reason})`;
}
