import type { MailClass } from "./model";
import type { ParsedMail } from "./parse-mail.server";

type ClassifiedMail = Pick<ParsedMail, "headers" | "from" | "subject" | "inReplyTo" | "references"> & {
  /** The sender of the envelope: "" for mail that must not be answered, null where nobody knows. */
  envelopeFrom: string | null;
};

/** Matches what programs put before the subject in their own language when they answer for somebody who is away. */
const AWAY_SUBJECT =
  /^(automatic reply|auto(matic)? ?response|auto-?reply|out of (the )?office|automatische antwort|abwesenheitsnotiz|abwesend|abwesenheit|réponse automatique|absence|respuesta automática|risposta automatica|automatisch antwoord)\b/i;

export function classifyMail(mail: ClassifiedMail): MailClass {
  const type = mail.headers["content-type"]?.[0] ?? "";
  if (/^multipart\/report\b/i.test(type))
    return /report-type="?disposition-notification/i.test(type) ? "automatic_reply" : "delivery_report";
  if (/(^|[\s<"])mailer-daemon\b/i.test(mail.from?.address ?? mail.headers.from?.[0] ?? "")) return "delivery_report";
  if (isAutomaticReply(mail)) return "automatic_reply";
  return isOfMachine(mail) ? "machine" : "person";
}

function isAutomaticReply({ headers, subject, envelopeFrom }: ClassifiedMail): boolean {
  const has = (name: string, pattern: RegExp) => hasHeader(headers, name, pattern);
  const isFromProgram = has("auto-submitted", /^auto-/i) || headers["x-auto-response-suppress"] !== undefined;
  return (
    has("auto-submitted", /^auto-replied\b/i) ||
    has("x-autoreply", /^(?!no\b)/i) ||
    has("x-autorespond", /^(?!no\b)/i) ||
    has("precedence", /^auto[_-]reply\b/i) ||
    has("x-precedence", /^auto[_-]reply\b/i) ||
    // Exchange and some web mailers call an answer of somebody who is away "auto-generated", like any other notice.
    (isFromProgram && AWAY_SUBJECT.test(subject)) ||
    has("return-path", /^<\s*>$/) ||
    (envelopeFrom !== null && /^<?>?$/.test(envelopeFrom.trim()))
  );
}

function isOfMachine({ headers, inReplyTo, references }: ClassifiedMail): boolean {
  const has = (name: string, pattern: RegExp) => hasHeader(headers, name, pattern);
  if (has("auto-submitted", /^auto-(generated|notified)\b/i)) return true;
  if (inReplyTo.length > 0 || references.length > 0) return false;
  return has("precedence", /^(bulk|list|junk)\b/i) || has("list-id", /./) || has("list-unsubscribe", /./);
}

const hasHeader = (headers: ParsedMail["headers"], name: string, pattern: RegExp): boolean =>
  headers[name]?.some((text) => pattern.test(text)) === true;
