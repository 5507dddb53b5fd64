import { excerpt } from "~/lib/text";
import type { MailClass } from "./model";
import type { ParsedMail } from "./parse-mail.server";

type Classification = {
  class: MailClass;
  /** What decided, as the mail has it: "Auto-Submitted: auto-replied". */
  sign: string | null;
};

type ClassifiedMail = Pick<ParsedMail, "headers" | "from" | "subject" | "inReplyTo" | "references"> & {
  /** The sender of the envelope: "" for mail that must not be answered, null where nobody knows. */
  envelopeFrom: string | null;
};

/** Matches what programs put before the subject in their own language when they answer for somebody who is away. */
const AWAY_SUBJECT =
  /^(automatic reply|auto(matic)? ?response|auto-?reply|out of (the )?office|automatische antwort|abwesenheitsnotiz|abwesend|abwesenheit|réponse automatique|absence|respuesta automática|risposta automatica|automatisch antwoord)\b/i;

export function classifyMail(mail: ClassifiedMail): Classification {
  return deliveryReport(mail) ?? automaticReply(mail) ?? machine(mail) ?? { class: "person", sign: null };
}

function deliveryReport({ headers, from }: ClassifiedMail): Classification | null {
  const type = headers["content-type"]?.[0] ?? "";
  if (/^multipart\/report\b/i.test(type)) {
    const isReceipt = /report-type="?disposition-notification/i.test(type);
    return { class: isReceipt ? "automatic_reply" : "delivery_report", sign: signOf("Content-Type", type) };
  }
  const sender = from?.address ?? headers.from?.[0] ?? "";
  return /(^|[\s<"])mailer-daemon\b/i.test(sender) ? { class: "delivery_report", sign: signOf("From", sender) } : null;
}

function automaticReply(mail: ClassifiedMail): Classification | null {
  const { headers, subject } = mail;
  const sign =
    findSign(headers, "Auto-Submitted", /^auto-replied\b/i) ??
    findSign(headers, "X-Autoreply", /^(?!no\b)/i) ??
    findSign(headers, "X-Autorespond", /^(?!no\b)/i) ??
    findSign(headers, "Precedence", /^auto[_-]reply\b/i) ??
    findSign(headers, "X-Precedence", /^auto[_-]reply\b/i) ??
    // Exchange and some web mailers call an answer of somebody who is away "auto-generated", like any other notice.
    (AWAY_SUBJECT.test(subject) && isFromProgram(headers) ? signOf("Subject", subject) : null) ??
    findSign(headers, "Return-Path", /^<\s*>$/) ??
    (mail.envelopeFrom !== null && /^<?>?$/.test(mail.envelopeFrom.trim()) ? signOf("Return-Path", "<>") : null);
  return sign === null ? null : { class: "automatic_reply", sign };
}

const isFromProgram = (headers: ParsedMail["headers"]): boolean =>
  findSign(headers, "Auto-Submitted", /^auto-/i) !== null || headers["x-auto-response-suppress"] !== undefined;

function machine({ headers, inReplyTo, references }: ClassifiedMail): Classification | null {
  const generated = findSign(headers, "Auto-Submitted", /^auto-(generated|notified)\b/i);
  if (generated !== null) return { class: "machine", sign: generated };
  if (inReplyTo.length > 0 || references.length > 0) return null;
  const bulk =
    findSign(headers, "Precedence", /^(bulk|list|junk)\b/i) ??
    findSign(headers, "List-Id", /./) ??
    findSign(headers, "List-Unsubscribe", /./);
  return bulk === null ? null : { class: "machine", sign: bulk };
}

function findSign(headers: ParsedMail["headers"], name: string, pattern: RegExp): string | null {
  const value = headers[name.toLowerCase()]?.find((text) => pattern.test(text));
  return value === undefined ? null : signOf(name, value);
}

const LONGEST_SIGN = 120;

const signOf = (name: string, value: string): string =>
  excerpt(`${name}: ${value}`.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), LONGEST_SIGN);
