import type { PlatformRole } from "~/access/model";

/** Names what changed about a second factor, for the mail that tells its owner. */
export type FactorChange = "enabled" | "reconfigured" | "disabled" | "codes_renewed";

/** Names what has become of somebody's membership of an organization, for the mail that tells them. */
export type MembershipChange =
  | "approved"
  | "suspended"
  | "reactivated"
  | "removed"
  | "made_admin"
  | "made_member"
  | "made_owner"
  | "no_longer_owner";

/** Names what an administrator did about somebody's access, for the mail that tells them. */
export type AccessChange =
  | "deactivated"
  | "reactivated"
  | "sessions_ended"
  | "session_ended"
  | "unlocked"
  | "password_change_required";

/**
 * Describes the data of mails about somebody's account. `path` is the address of the link, with its token; `notMePath`
 * is the link of "Wasn't you?", which ends all sessions.
 */
export type AccountMailData = {
  "email-confirmation": { path: string };
  "account-exists": Record<string, never>;
  "password-reset": { path: string };
  "password-changed": { notMePath: string };
  "password-locked": Record<string, never>;
  "email-change-confirmation": { path: string };
  "email-change-notice": { newEmail: string; undoPath: string };
  "factor-changed": { change: FactorChange; notMePath: string };
  "codes-refused": Record<string, never>;
  "backup-code-used": { codesLeft: number; notMePath: string };
  "new-device": { device: string; network: string; notMePath: string };
  /** Tells that an administrator gave the person another role. */
  "role-changed": { role: PlatformRole };
  "access-changed": { change: AccessChange };
  /** Tells that an administrator removed the second factor; the link sets up a new one. */
  "factor-reset": { path: string };
  /** Tells every administrator: somebody's second factor was removed, by whom and why. */
  "factor-reset-notice": { name: string; email: string; by: string; reason: string };
  /** Tells somebody what has become of the request to close their account; `reason`: why it was declined. */
  "account-closure": { state: "requested" | "declined" | "closed"; reason: string | null };
  /** Tells every administrator: somebody asks for their account to be closed. */
  "account-closure-notice": { name: string; email: string; path: string };
  /**
   * Tells every administrator: something looks like an attack. Each fact is an alert: whom it is about, what was
   * found.
   */
  "security-alert": { alerts: readonly { term: string; detail: string }[]; path: string };
};
