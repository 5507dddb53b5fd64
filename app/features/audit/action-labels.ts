import { plural } from "~/lib/text";
import type { AuditAction } from "./model";

/** Lists what each action is called, as in "Avery Quinn signed in". */
export const ACTION_LABELS: Record<AuditAction, string> = {
  "session.started": "signed in",
  "session.ended": "signed out",
  "session.refused": "was refused at sign-in",
  "session.renewed": "proved again who they are",
  "session.revoked": "signed out another session",
  "user.signed_up": "created an account",
  "user.confirmed": "confirmed an email address",
  "user.profile_changed": "changed their profile",
  "user.password_changed": "changed their password",
  "user.password_reset": "chose a new password by a reset link",
  "user.password_locked": "had password sign-in switched off after a hundred failures",
  "user.email_change_requested": "asked for another email address",
  "user.email_changed": "changed their email address",
  "user.email_change_undone": "undid a change of email address",
  "user.sessions_ended": "signed out everywhere",
  "user.first_admin_created": "set up the first administrator",
  "mfa.enabled": "set up two-step sign-in",
  "mfa.reconfigured": "changed their authenticator",
  "mfa.disabled": "switched off two-step sign-in",
  "mfa.codes_renewed": "made new backup codes",
  "mfa.recovery_link_made": "made a recovery link for two-step sign-in",
  "organization.created": "created an organization",
  "submission.received": "sent a submission",
  "submission.status_changed": "changed the status of a submission",
  "submission.file_downloaded": "downloaded a file of a submission",
  "submission.released": "released a submission from review",
  "submission.assigned": "assigned a submission",
  "submission.replied": "replied to a submission",
  "submission.deleted": "deleted submissions",
  "submission.exported": "exported submissions",
  "note.added": "added a note",
  "note.edited": "edited a note",
  "note.deleted": "deleted a note",
  "settings.brand_changed": "changed what the site says about the company",
  "security.activity_exported": "exported the activity",
};

const readable = (value: unknown) => String(value).replaceAll("_", " ");

/** Returns what a person may read of an event's facts. Texts of notes and ids stay in the record. */
export function detailsOf(meta: Record<string, unknown>): string {
  const parts: string[] = [];
  if (meta.from !== undefined && meta.to !== undefined) parts.push(`${readable(meta.from)} to ${readable(meta.to)}`);
  if (meta.held !== undefined) parts.push(`held: ${readable(meta.held)}`);
  if (meta.owner) parts.push(`owner ${readable(meta.owner)}`);
  if (meta.follow_up_on) parts.push(`follow up on ${String(meta.follow_up_on)}`);
  if (typeof meta.count === "number") parts.push(`${meta.count.toLocaleString("en-US")} of them`);
  if (typeof meta.rows === "number") parts.push(`${meta.rows.toLocaleString("en-US")} rows`);
  if (typeof meta.reason === "string") parts.push(readable(meta.reason));
  if (typeof meta.repeated === "number") parts.push(`${plural(meta.repeated, "more time")} within the hour`);
  return parts.join(", ");
}
