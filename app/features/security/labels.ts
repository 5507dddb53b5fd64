import type { AlertKind, AlertSeverity, FactorCoverage, LockoutType } from "./model";

export const SECURITY_FAILED = "Failed to load security monitoring data";
export const EVENTS_FAILED = "Failed to load two-step sign-in events";
export const SECURITY_TAB_LABELS = { monitoring: "Security Monitoring", mfa: "MFA Management" } as const;

export const NO_EVENTS = "No events yet";
export const NO_EVENTS_LISTED = { title: "No events yet.", body: "What happens to two-step sign-in is recorded here." };
export const NO_EVENTS_FOUND = { title: "No events found." };
export const NO_ALERTS = "No alerts.";
export const NO_LOCKOUTS = "No blocked sign-ins.";

export const KIND_LABELS: Record<AlertKind, string> = {
  failed_mfa: "Failed two-step sign-in",
  suspicious_activity: "Suspicious activity",
  account_lockout: "Account lockout",
};
export const SEVERITY_LABELS: Record<AlertSeverity, string> = { high: "High", medium: "Medium" };

export const ACTION_LABELS = {
  setup: "Set up",
  verify_challenge: "Code entered",
  backup_code_used: "Backup code used",
  regenerate: "New backup codes",
  disable: "Switched off",
  admin_reset: "Reset by an admin",
} as const;
export const METHOD_LABELS = { totp: "Authenticator", backup_code: "Backup code" } as const;
export const FAILURE_LABELS: Readonly<Record<string, string>> = {
  malformed: "Malformed code",
  wrong_code: "Wrong code",
  replayed_code: "Code used before",
};

export const RESULT_LABELS = { success: "Success", failed: "Failed" } as const;

export const FACTOR_LABELS = { on: "On", off: "Off" } as const;
export const SIDE_LABELS = { staff: "Staff", client: "Clients" } as const;
export const PEOPLE_FAILED = "Failed to load who uses two-step sign-in";
export const NO_PEOPLE = { title: "No people found.", body: "No people yet." };
export const SESSIONS_FAILED = "Failed to load sessions";
export const NO_SESSIONS = "No active sessions.";

/** By role. `isOfClients`: the settings ask for it. */
export const mfaPolicy = (isOfClients: boolean): { who: string; rule: string }[] => [
  { who: "Admins and moderators", rule: "Required, before anything else." },
  {
    who: "Clients",
    rule: isOfClients
      ? "Required by the settings: they have seven days to set it up."
      : "Their own choice, unless their organization requires it: then within seven days.",
  },
];

/** A name that this version does not know is returned readable. */
export const labelOf = (labels: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(labels, name) && labels[name]) || name.replaceAll("_", " ");

const LOCKED: Record<LockoutType, string> = {
  login_account: "Password sign-in was blocked",
  login_device: "Password sign-in was blocked in a known browser",
  login_ip: "Sign-ins of a network were blocked",
  mfa: "Codes were blocked",
};

const attemptsText = (count: number, noun: string) =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** `source`: the limit that was reached, for a lockout. */
export function alertMessage({
  kind,
  attempts,
  source,
}: {
  kind: AlertKind;
  attempts: number;
  source: string;
}): string {
  if (kind !== "account_lockout") return `${attemptsText(attempts, "failed two-step sign-in")} within an hour`;
  const locked = Object.hasOwn(LOCKED, source) ? LOCKED[source as LockoutType] : "Sign-in was blocked";
  return `${locked} after ${attemptsText(attempts, "attempt")}`;
}

/** "6 of 7 staff; 12 of 40 clients" */
export const coverageText = ({ staff, clients }: FactorCoverage): string => {
  const of = ({ on, all }: FactorCoverage["staff"]) =>
    `${on.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`;
  return `${of(staff)} staff; ${of(clients)} clients`;
};

export const ACKNOWLEDGED = { title: "Success", message: "The alert was acknowledged." } as const;
export const ALERT_GONE = "This alert is over. Nothing was changed.";
export const NOT_ACKNOWLEDGED = "The alert was not acknowledged. Try again.";
export const acknowledgedAlready = (name: string): string =>
  `${name} ${name === "You" ? "have" : "has"} acknowledged this alert already.`;
export const ALERT_NOTE_TOO_LONG = "A note can have at most 500 characters.";
