import type { PlatformRole } from "~/access/model";
import type { AccountStatus } from "~/features/user-management/model";
import { type Duration, hours, type Instant, minutes } from "~/lib/time";

export const SECURITY_PATH = "/admin/security";
export const EVENTS_PATH = "/admin/security/events";
export const MFA_PEOPLE_PATH = "/admin/security/mfa";
export const SESSIONS_PATH = "/admin/security/sessions";

/** Names what an alert is about. The names are stored. */
export type AlertKind = "failed_mfa" | "suspicious_activity" | "account_lockout";
export type AlertSeverity = "medium" | "high";

/** Sets how far back failed codes of a person count together. */
export const SUSPICIOUS_WINDOW: Duration = hours(1);
/** Sets how many failed codes are suspicious, and how many make the alert a high one. */
export const SUSPICIOUS_AT = 3;
export const SUSPICIOUS_HIGH_AT = 5;
/** Sets how many attempts before a block make the alert a high one. */
export const LOCKOUT_HIGH_AT = 10;

/** Lists the limits whose block keeps somebody from signing in. */
export const LOCKOUT_TYPES = ["login_account", "login_device", "login_ip", "mfa"] as const;
export type LockoutType = (typeof LOCKOUT_TYPES)[number];

/** Sets how many of the newest events the figures are counted over, and how many are shown. */
export const COUNTED_EVENTS = 50;
export const SHOWN_EVENTS = 10;
/** Limits the alerts on the page: those that are open, and those that were acknowledged last. */
export const SHOWN_ALERTS = 10;
export const SHOWN_ACKNOWLEDGED = 5;
/** Limits the blocked sign-ins on the page. */
export const SHOWN_LOCKOUTS = 25;
/** Sets how many sessions a page has. */
export const SESSIONS_PER_PAGE = 25;

/** Sets after which time without use every session has ended. */
export const LONGEST_IDLE: Duration = hours(24);

/** Limits how often administrators get a mail: alerts of less than this time apart are told in one. */
export const ALERT_MAIL_INTERVAL: Duration = minutes(10);

/** Limits the characters of the note with which somebody acknowledges an alert. */
export const NOTE_MAX = 500;

/** Describes a person as the security center names them; null where no account is known, or it is gone. */
export type NamedPerson = { id: string; name: string; email: string } | null;

/** Describes an MFA event. */
export type MfaEvent = {
  /** Holds the number of the alert, as text. */
  id: string;
  /** Holds the id of the person, who may be gone. */
  userId: string;
  name: string | null;
  email: string | null;
  action: string;
  method: string;
  succeeded: boolean;
  failure: string | null;
  ip: string | null;
  at: Instant;
};

/** Describes a person with their second factor. */
export type FactorRow = {
  id: string;
  name: string;
  email: string;
  role: PlatformRole;
  status: AccountStatus;
  /** Says whether a second factor is set up; `none`: nobody can sign in to the account. */
  factor: "on" | "off" | "none";
  /** Says when a code was last accepted; null: never since it was set up. */
  lastUsedAt: Instant | null;
  /** Counts the backup codes that can still be used. */
  codesLeft: number;
};

/** Describes an alert as its row shows it. */
export type Alert = {
  id: string;
  kind: AlertKind;
  severity: AlertSeverity;
  /** Names who or what it is about. */
  person: NamedPerson;
  about: string;
  message: string;
  lastAt: Instant;
};

/** Tells whether there are failures of its person that an administrator can forget. */
export type OpenAlert = Alert & { canUnlock: boolean };

export type AcknowledgedAlert = Alert & { acknowledgedBy: string; acknowledgedAt: Instant; note: string | null };

/** Describes a sign-in that is blocked now. */
export type Lockout = {
  id: string;
  /** Names the limit that was reached. */
  type: string;
  person: NamedPerson;
  about: string;
  attempts: number;
  blockedUntil: Instant;
};

/** Describes a browser in which somebody is signed in. */
export type ActiveSession = {
  /** Holds the row's number, for the list only. */
  id: number;
  userId: string;
  name: string;
  email: string;
  isStaff: boolean;
  device: string;
  network: string;
  startedAt: Instant;
  lastSeenAt: Instant;
};

/** Tells how many of those who can sign in have a second factor. */
export type Coverage = { staff: { on: number; all: number }; clients: { on: number; all: number } };
