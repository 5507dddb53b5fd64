import { MODERATION_LABELS, type ModerationReason } from "~/lib/moderation";
import { plural } from "~/lib/text";
import { shortDay } from "~/lib/time-labels";
import { ACTIVITY_TYPES, type ActivityType, AUDIT_ACTIONS, type AuditAction } from "./model";

export const ACTIVITY_FAILED = "Failed to load activity";

export const ACTIVITY_TYPE_LABELS: Record<ActivityType, string> = {
  submission: "Submission",
  user: "User",
  note: "Note",
  status_change: "Status change",
  ticket: "Ticket",
  organization: "Organization",
  security: "Security",
  settings: "Settings",
};

export function typeLabel(type: string): string {
  const known = ACTIVITY_TYPES.find((candidate) => candidate === type);
  return known ? ACTIVITY_TYPE_LABELS[known] : type;
}

export const NO_ACTIVITY = { title: "No activity yet.", body: "Everything people do here is recorded." };

export const REASON_REQUIRED = "Say why.";
export const REASON_MAX = 500;

export const WORDING_VERSION = 4;

export type EventDetails = {
  action: string;
  meta: Record<string, unknown>;
  actorName: string | null;
};

const ACTION_LABELS: Record<AuditAction, string> = {
  "session.started": "signed in",
  "session.ended": "signed out",
  "session.refused": "Sign-in failed",
  "session.renewed": "confirmed their identity",
  "session.revoked": "signed out another session",
  "user.signed_up": "created an account",
  "user.confirmed": "confirmed an email address",
  "user.profile_changed": "changed their profile",
  "user.password_changed": "changed their password",
  "user.password_reset": "reset their password",
  "user.password_locked": "had password sign-in switched off after 100 failures",
  "user.email_change_requested": "asked to change their email address",
  "user.email_changed": "changed their email address",
  "user.email_change_undone": "undid a change of email address",
  "user.sessions_ended": "signed out everywhere",
  "user.first_admin_created": "set up the first administrator",
  "user.created": "created an account",
  "user.role_changed": "changed the role of a person",
  "user.deactivated": "deactivated an account",
  "user.reactivated": "reactivated an account",
  "user.signed_out": "ended the sessions of a person",
  "user.session_ended": "ended one session of a person",
  "user.unlocked": "unlocked an account",
  "user.password_change_required": "asked for a new password",
  "user.exported": "exported users",
  "user.data_exported": "exported everything about a person",
  "user.address_added": "noted a further address of a person",
  "user.address_removed": "removed a further address of a person",
  "user.erased": "erased a person",
  "user.closure_requested": "asked for their account to be closed",
  "user.closure_withdrawn": "no longer wants their account closed",
  "user.closure_declined": "declined to close an account",
  "user.invited": "invited a person",
  "user.mail_released": "let mail go to a person again",
  "user.invitation_resent": "sent an invitation again",
  "user.invitation_link_made": "copied the link of an invitation",
  "user.invitation_revoked": "revoked an invitation",
  "user.invitation_declined": "turned an invitation down",
  "user.invitation_accepted": "accepted an invitation",
  "mfa.enabled": "set up two-step sign-in",
  "mfa.reconfigured": "changed their authenticator",
  "mfa.disabled": "switched off two-step sign-in",
  "mfa.codes_renewed": "made new backup codes",
  "mfa.recovery_link_made": "made a recovery link for two-step sign-in",
  "mfa.reset": "reset two-step sign-in",
  "mfa.setup_link_sent": "sent a new link for two-step sign-in",
  "organization.created": "created an organization",
  "organization.member_role_changed": "changed the role of a member",
  "organization.member_suspended": "suspended a member",
  "organization.member_reactivated": "reactivated a member",
  "organization.member_removed": "removed a member",
  "organization.member_left": "left an organization",
  "organization.ownership_transferred": "transferred ownership",
  "organization.member_invited": "invited a person to an organization",
  "organization.invitation_resent": "sent an invitation to an organization again",
  "organization.invitation_link_made": "copied the link of an invitation to an organization",
  "organization.invitation_revoked": "revoked an invitation to an organization",
  "organization.invitation_declined": "turned down an invitation to an organization",
  "organization.member_joined": "joined an organization",
  "organization.updated": "changed an organization",
  "organization.reviewed": "reviewed a new organization",
  "organization.deleted": "deleted an organization",
  "organization.exported": "exported organizations",
  "organization.archive_requested": "requested an archive",
  "organization.data_exported": "exported all data of an organization",
  "organization.members_exported": "exported members",
  "organization.mfa_required": "made two-step sign-in required",
  "organization.mfa_optional": "made two-step sign-in optional",
  "organization.letter_saved": "wrote on a letter to an organization",
  "organization.letter_released": "released a letter to an organization",
  "organization.letters_exported": "exported letters",
  "submission.received": "sent a request",
  "submission.status_changed": "changed the status of a submission",
  "submission.file_downloaded": "downloaded a file of a submission",
  "ticket.file_downloaded": "downloaded a file of a ticket",
  "submission.released": "released a submission from review",
  "submission.assigned": "changed owner or follow-up",
  "submission.replied": "replied to a submission",
  "submission.reply_resent": "sent a reply again",
  "submission.made_client": "made a client of a submission",
  "submission.client_undone": "took back that a submission became a client",
  "submission.client_unlinked": "unlinked a submission from a client",
  "submission.deleted": "deleted submissions",
  "submission.expired": "deleted submissions that were kept long enough",
  "submission.purge_requested": "started a purge of submissions",
  "submission.purged": "purged submissions",
  "submission.exported": "exported submissions",
  "ticket.opened": "opened a ticket",
  "ticket.replied": "replied on a ticket",
  "ticket.reply_undone": "took a reply on a ticket back before its mail left",
  "ticket.note_added": "added an internal note to a ticket",
  "ticket.status_changed": "changed the status of a ticket",
  "ticket.priority_changed": "changed the priority of a ticket",
  "ticket.assigned": "changed who has a ticket",
  "ticket.category_changed": "changed the category of a ticket",
  "ticket.made_private": "made a ticket private",
  "ticket.made_shared": "shared a ticket with the organization",
  "ticket.requester_changed": "changed the requester of a ticket",
  "ticket.person_added": "added a person to a ticket",
  "ticket.person_removed": "took a person off a ticket",
  "ticket.copy_ignored": "ignored an address that a client had written to as well",
  "ticket.moved": "moved a ticket to another organization",
  "ticket.visit_recorded": "recorded an onsite visit",
  "ticket.allowance_reversed": "took the use of an allowance back",
  "ticket.exported": "exported tickets",
  "ticket.mail_placed": "put a mail on a ticket",
  "ticket.mail_downloaded": "downloaded a mail as it came",
  "organization.contact_confirmed": "confirmed a person who had written",
  "organization.contact_refused": "said that a person who had written is not one of theirs",
  "ticket.mail_retried": "let a mail be read again",
  "ticket.mail_discarded": "discarded a mail of a colleague",
  "ticket.mail_sent_again": "sent a mail of ours again",
  "ticket.mail_arrived": "said that a mail of ours arrived",
  "ticket.mail_left": "left a mail of ours that did not arrive",
  "ticket.held_reply_sent": "sent a reply that a colleague had mailed",
  "ticket.sender_blocked": "blocked the sender of a mail",
  "ticket.sender_unblocked": "unblocked the sender of a mail",
  "note.added": "added an internal note",
  "note.edited": "edited an internal note",
  "note.deleted": "deleted an internal note",
  "settings.brand_changed": "changed the site’s color or a picture",
  "settings.canned_reply_saved": "updated a saved reply",
  "settings.canned_reply_deleted": "deleted a saved reply",
  "settings.sign_up_changed": "changed who may sign up",
  "settings.changed": "changed settings",
  "security.activity_exported": "exported the activity",
  "security.hold_placed": "placed a legal hold",
  "security.hold_lifted": "lifted a legal hold",
  "security.events_exported": "exported the two-step sign-in events",
  "security.factors_exported": "exported who has two-step sign-in",
  "security.alert_acknowledged": "acknowledged a security alert",
  "security.report_exported": "exported a report",
  "settings.import_started": "imported a file",
  "settings.import_undone": "undid an import",
  "settings.import_exported": "downloaded the outcomes of an import",
  "security.archive_requested": "requested an archive of everything",
  "security.everything_exported": "downloaded everything",
  "security.database_restored": "restored the database to an earlier state",
  "security.backups_fetched": "handed the backups to the machine that keeps them",
  "security.restore_proven": "was told that a backup was restored and opened",
};

const FAILURE_WORDS: Record<string, string> = {
  credentials: "wrong password",
  unverified: "address not confirmed",
  pending: "invitation not accepted",
  deactivated: "account deactivated",
  malformed: "malformed code",
  wrong_code: "wrong code",
  replayed_code: "code used before",
};

const readable = (value: unknown) => String(value).replaceAll("_", " ");

/** Names the fields whose column says too little. */
const FIELD_WORDS: Partial<Record<string, string>> = { reviewsContacts: "review of new people" };

export function auditActionLabel({ action, meta, actorName }: EventDetails): string {
  const known = AUDIT_ACTIONS.find((candidate) => candidate === action);
  if (!known) return readable(action).replaceAll(".", " ");
  if (known === "session.refused") return `${ACTION_LABELS[known]}: ${failureWords(meta.reason, actorName)}`;
  if (known === "security.database_restored" && typeof meta.state === "string") {
    return `restored the database to the state of ${meta.state}`;
  }
  if (known === "submission.assigned") return assignmentLabel(meta, actorName) ?? ACTION_LABELS[known];
  return ACTION_LABELS[known];
}

/** Without an account it is the address that was wrong, or was not recorded. */
function failureWords(reason: unknown, actorName: string | null): string {
  if (reason === "credentials" && actorName === null) return "unknown address or wrong password";
  return FAILURE_WORDS[String(reason)] ?? readable(reason ?? "no reason recorded");
}

/** An event that holds owner and follow-up and does not say that both were changed, does not tell which was. */
function assignmentLabel(
  { owner, follow_up_on, both }: Record<string, unknown>,
  actorName: string | null,
): string | null {
  if (owner !== undefined && follow_up_on !== undefined && !both) return null;
  if (typeof owner === "string") return owner === actorName ? "took this" : `assigned it to ${owner}`;
  if (typeof follow_up_on === "string") return "set the follow-up";
  if (owner === null && !both) return "removed the owner";
  return follow_up_on === null && !both ? "removed the follow-up" : null;
}

/** Texts of notes and ids stay in the record. */
export function detailLabel({ action, meta }: Pick<EventDetails, "action" | "meta">): string {
  const {
    organization,
    address,
    role,
    from,
    to,
    held,
    follow_up_on,
    count,
    rows,
    reason,
    repeated,
    changed,
    members,
    isMore,
    lostThrough,
  } = meta;
  const parts: string[] = [];
  if (typeof organization === "string") parts.push(organization);
  if (from !== undefined && to !== undefined)
    parts.push(`${readable(from)} ${action === "ticket.assigned" ? "→" : "to"} ${readable(to)}`);
  if (held !== undefined) parts.push(`held (${MODERATION_LABELS[held as ModerationReason] ?? readable(held)})`);
  if (typeof follow_up_on === "string") parts.push(`follow up ${shortDay(follow_up_on)}`);
  if (typeof address === "string") parts.push(address);
  if (typeof role === "string") parts.push(`as ${role}`);
  if (typeof count === "number") parts.push(`${isMore === true ? "more than " : ""}${plural(count, "submission")}`);
  if (typeof rows === "number") parts.push(plural(rows, "row"));
  if (typeof reason === "string" && action !== "session.refused") parts.push(readable(reason));
  if (typeof repeated === "number") parts.push(`${plural(repeated, "more time")} within the hour`);
  if (Array.isArray(changed)) parts.push(...changed.map((field) => FIELD_WORDS[String(field)] ?? readable(field)));
  if (typeof members === "number") parts.push(plural(members, "member"));
  if (typeof lostThrough === "number") parts.push(`the record went up to event ${lostThrough} before`);
  return parts.join(", ");
}
