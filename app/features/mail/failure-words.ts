/** Says for each reason what has happened to the mail; all others are codes with which the mail service rejected it. */
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

/** Returns in words why a mail failed, by the reason that the outbox keeps (`outbox.last_error`). */
export function failureWords(reason: string): string {
  return WORDS[reason] ?? `the mail service did not accept it (${reason})`;
}
