/** Everything that is recorded, by the noun it happened to and the verb in the past. A new action is named here first. */
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
  "mfa.enabled",
  "mfa.reconfigured",
  "mfa.disabled",
  "mfa.codes_renewed",
  "mfa.recovery_link_made",
  "organization.created",
  "organization.mfa_requirement_changed",
  "submission.received",
  "submission.status_changed",
  "submission.file_downloaded",
  "submission.released",
  "submission.assigned",
  "submission.replied",
  "submission.deleted",
  "submission.exported",
  "note.added",
  "note.edited",
  "note.deleted",
  "settings.brand_changed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an event is about. */
export type AuditObjectType = "session" | "submission" | "user" | "mfa" | "organization" | "note" | "settings";

/** Who acted, where it is not the signed-in person. `id` null: nobody with an account, or the system itself. */
export type AuditActor = { id: string | null; role: string };

export type MfaAction = "setup" | "verify_challenge" | "backup_code_used" | "regenerate" | "disable" | "admin_reset";
export type MfaMethod = "totp" | "backup_code";
/** Why a second factor was refused. Staff see it; the person always reads the same sentence. */
export type MfaFailure = "malformed" | "wrong_code" | "replayed_code";

/** What the activity screen can be narrowed to. */
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
