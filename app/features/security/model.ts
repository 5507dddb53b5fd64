import type { PlatformRole } from "~/access/model";
import type { AccountStatus } from "~/features/user-management/model";
import { type Duration, hours, type Instant, minutes } from "~/lib/time";

export const SECURITY_PATH = "/admin/security";
export const EVENTS_PATH = "/admin/security/events";
export const MFA_PEOPLE_PATH = "/admin/security/mfa";
export const SESSIONS_PATH = "/admin/security/sessions";

/** Stored. */
export type AlertKind = "failed_mfa" | "suspicious_activity" | "account_lockout";
export type AlertSeverity = "medium" | "high";

export const SUSPICIOUS_WINDOW: Duration = hours(1);
export const SUSPICIOUS_AT = 3;
export const SUSPICIOUS_HIGH_AT = 5;
export const LOCKOUT_HIGH_AT = 10;

export const LOCKOUT_TYPES = ["login_account", "login_device", "login_ip", "mfa"] as const;
export type LockoutType = (typeof LOCKOUT_TYPES)[number];

/** The figures are counted over so many of the newest events. */
export const COUNTED_EVENTS = 50;
export const SHOWN_EVENTS = 10;
/** Those that are open, and those that were acknowledged last. */
export const SHOWN_ALERTS = 10;
export const SHOWN_ACKNOWLEDGED = 5;
export const SHOWN_LOCKOUTS = 25;
export const SESSIONS_PER_PAGE = 25;

/** After so long without use every session has ended. */
export const LONGEST_IDLE: Duration = hours(24);

/** Alerts of less than this time apart are told in one mail. */
export const ALERT_MAIL_INTERVAL: Duration = minutes(10);

export const ALERT_NOTE_MAX = 500;

/** Null where no account is known, or it is gone. */
export type NamedPerson = { id: string; name: string; email: string } | null;

export type MfaEvent = {
  id: string;
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

export type FactorRow = {
  id: string;
  name: string;
  email: string;
  role: PlatformRole;
  status: AccountStatus;
  /** `none`: nobody can sign in to the account. */
  factor: "on" | "off" | "none";
  /** Null: never since it was set up. */
  lastUsedAt: Instant | null;
  codesLeft: number;
};

export type Alert = {
  id: string;
  kind: AlertKind;
  severity: AlertSeverity;
  person: NamedPerson;
  about: string;
  message: string;
  lastAt: Instant;
};

export type OpenAlert = Alert & { canUnlock: boolean };

export type AcknowledgedAlert = Alert & { acknowledgedBy: string; acknowledgedAt: Instant; note: string | null };

export type Lockout = {
  id: string;
  type: string;
  person: NamedPerson;
  about: string;
  attempts: number;
  blockedUntil: Instant;
};

export type ActiveSession = {
  /** For the list only. */
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

/** Of those who can sign in. */
export type FactorCoverage = { staff: { on: number; all: number }; clients: { on: number; all: number } };
