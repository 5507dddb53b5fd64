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
  if (failed) return `E-mail ${MAIL_STATUS_LABELS[failed].toLowerCase()}`;
  return `Invited, expires ${formatInstant(expiresAt, zone, "date")}`;
}
