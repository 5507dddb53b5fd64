/** Everything that is recorded, by the noun it happened to and the verb in the past. A new action is named here first. */
export const AUDIT_ACTIONS = [
  "session.started",
  "session.ended",
  "session.refused",
  "submission.received",
  "submission.status_changed",
  "submission.file_downloaded",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an event is about. */
export type AuditObjectType = "session" | "submission";

/** Who acted, where it is not the signed-in person. `id` null: nobody with an account, or the system itself. */
export type AuditActor = { id: string | null; role: string };

export type MfaAction = "setup" | "verify_challenge" | "backup_code_used" | "regenerate" | "disable" | "admin_reset";
export type MfaMethod = "totp" | "backup_code";
/** Why a second factor was refused. Staff see it; the person always reads the same sentence. */
export type MfaFailure = "malformed" | "wrong_code" | "replayed_code";
