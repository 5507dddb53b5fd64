import type { SubjectType } from "~/lib/subject";

/** The noun it happened to and the verb in the past tense. */
export const AUDIT_ACTIONS = [
  "session.started",
  "session.ended",
  "session.refused",
  "session.renewed",
  "session.revoked",
  "user.signed_up",
  "user.confirmed",
  "user.profile_changed",
  "user.password_changed",
  "user.password_reset",
  "user.password_locked",
  "user.email_change_requested",
  "user.email_changed",
  "user.email_change_undone",
  "user.sessions_ended",
  "user.first_admin_created",
  "user.created",
  "user.role_changed",
  "user.deactivated",
  "user.reactivated",
  "user.signed_out",
  "user.session_ended",
  "user.unlocked",
  "user.password_change_required",
  "user.exported",
  "user.data_exported",
  "user.address_added",
  "user.address_removed",
  "user.erased",
  "user.closure_requested",
  "user.closure_withdrawn",
  "user.closure_declined",
  "user.invited",
  "user.mail_released",
  "user.invitation_resent",
  "user.invitation_link_made",
  "user.invitation_revoked",
  "user.invitation_declined",
  "user.invitation_accepted",
  "mfa.enabled",
  "mfa.reconfigured",
  "mfa.disabled",
  "mfa.codes_renewed",
  "mfa.recovery_link_made",
  "mfa.reset",
  "mfa.setup_link_sent",
  "organization.created",
  "organization.member_role_changed",
  "organization.member_suspended",
  "organization.member_reactivated",
  "organization.member_removed",
  "organization.member_left",
  "organization.ownership_transferred",
  "organization.member_invited",
  "organization.invitation_resent",
  "organization.invitation_link_made",
  "organization.invitation_revoked",
  "organization.invitation_declined",
  "organization.member_joined",
  "organization.updated",
  "organization.reviewed",
  "organization.contact_confirmed",
  "organization.contact_refused",
  "organization.deleted",
  "organization.exported",
  "organization.archive_requested",
  "organization.data_exported",
  "organization.members_exported",
  "organization.mfa_required",
  "organization.mfa_optional",
  "organization.letter_saved",
  "organization.letter_released",
  "organization.letters_exported",
  "submission.received",
  "submission.status_changed",
  "submission.file_downloaded",
  "ticket.file_downloaded",
  "submission.released",
  "submission.assigned",
  "submission.replied",
  "submission.reply_resent",
  "submission.made_client",
  "submission.client_undone",
  "submission.client_unlinked",
  "submission.deleted",
  "submission.expired",
  "submission.purge_requested",
  "submission.purged",
  "submission.exported",
  "ticket.opened",
  "ticket.replied",
  "ticket.reply_undone",
  "ticket.note_added",
  "ticket.status_changed",
  "ticket.priority_changed",
  "ticket.assigned",
  "ticket.category_changed",
  "ticket.made_private",
  "ticket.made_shared",
  "ticket.requester_changed",
  "ticket.person_added",
  "ticket.person_removed",
  "ticket.copy_ignored",
  "ticket.moved",
  "ticket.visit_recorded",
  "ticket.allowance_reversed",
  "ticket.exported",
  "ticket.mail_placed",
  "ticket.mail_downloaded",
  "ticket.mail_retried",
  "ticket.mail_discarded",
  "ticket.mail_sent_again",
  "ticket.mail_arrived",
  "ticket.mail_left",
  "ticket.held_reply_sent",
  "ticket.sender_blocked",
  "ticket.sender_unblocked",
  "note.added",
  "note.edited",
  "note.deleted",
  "settings.brand_changed",
  "settings.canned_reply_saved",
  "settings.canned_reply_deleted",
  "settings.sign_up_changed",
  "settings.changed",
  "security.activity_exported",
  "security.hold_placed",
  "security.hold_lifted",
  "security.events_exported",
  "security.factors_exported",
  "security.alert_acknowledged",
  "security.report_exported",
  "security.archive_requested",
  "security.everything_exported",
  "security.database_restored",
  "security.backups_fetched",
  "security.restore_proven",
  "settings.import_started",
  "settings.import_undone",
  "settings.import_exported",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `label`: its name at that moment; null where it has none. `id`: null for many at once, or for an unknown account. */
export type AuditSubject =
  | { type: SubjectType; id: string | null; label: string | null }
  | { type: "settings"; id: string; label: null }
  /** The id of a restore is the number of the epoch that it begins. */
  | { type: "database"; id: string; label: null }
  | { type: "activity" | "report"; id: null; label: null };

/** `id`: null for a visitor, for whoever has no account, or the system itself. */
export type AuditActor = { id: string | null; role: string; name: string | null; email: string | null };

export const VISITOR: AuditActor = { id: null, role: "visitor", name: null, email: null };

/** "The system changed the status of a ticket" */
export const SYSTEM: AuditActor = { id: null, role: "system", name: "The system", email: null };

/** Who it was is in the history of the ticket, where an erasure finds the name. */
export const CONTACT: AuditActor = { id: null, role: "contact", name: "A contact", email: null };

type Person = { userId: string; role: string; fullName: string; email: string };

export const toAuditActor = ({ userId, role, fullName, email }: Person): AuditActor => ({
  id: userId,
  role,
  name: fullName,
  email,
});

export type MfaAction = "setup" | "verify_challenge" | "backup_code_used" | "regenerate" | "disable" | "admin_reset";
export type MfaMethod = "totp" | "backup_code";
/** Staff see it; the person always reads the same sentence. */
export type MfaFailure = "malformed" | "wrong_code" | "replayed_code";

export const ACTIVITY_TYPES = [
  "submission",
  "user",
  "note",
  "status_change",
  "ticket",
  "organization",
  "security",
  "settings",
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export type ActivityCounts = {
  all: number;
  submissions: number;
  people: number;
  /** `more`: there are at least so many. */
  lastHour: { count: number; more: boolean };
};
