import { MAIL_STATUS_LABELS, UNDELIVERED } from "~/features/mail/model";
import type { Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time";
import type { PendingInvitation } from "./model";

/** Returns what became of an invitation: "Expires Nov 29, 2026", "Expired", "E-mail failed". */
export function invitationWords(
  { expiresAt, mail }: PendingInvitation,
  { now, zone }: { now: Instant; zone: string },
): string {
  if (expiresAt <= now) return `Expired ${formatInstant(expiresAt, zone, "date")}`;
  const failed = UNDELIVERED.find((status) => status === mail);
  if (failed) return `Email ${MAIL_STATUS_LABELS[failed].toLowerCase()}`;
  if (mail === "delayed") return `Pending, email delayed, expires ${formatInstant(expiresAt, zone, "date")}`;
  return `Pending, expires ${formatInstant(expiresAt, zone, "date")}`;
}

export const INVITATION_GONE = "This invitation is not open any more.";

/** Says why nothing was done about an invitation. */
export const invitationError = (code: "not_found" | "limited" | "mail_not_failed"): string =>
  ({
    not_found: INVITATION_GONE,
    limited: "This address got too many invitations today. Try again tomorrow.",
    mail_not_failed: "The mail is on its way. A link can be copied only if the mail has failed.",
  })[code];

export const invitationResent = (email: string) => ({
  title: "Success",
  message: `A new invitation for ${email} is queued. The earlier link no longer works.`,
});

export const invitationRevoked = (email: string) => ({
  title: "Success",
  message: `The invitation of ${email} was revoked.`,
});
