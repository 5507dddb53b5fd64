import {
  isStaffRole,
  lacksRequiredMfa,
  type MfaRequirementInput,
  mfaDeadline,
  type PlatformRole,
} from "~/access/model";
import type { SignUpPolicy } from "~/features/settings/model";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { domainOf } from "~/lib/email";
import { safeReturnPath } from "~/lib/safe-path";
import { type Duration, days, hours, type Instant, minutes } from "~/lib/time";

export type ProvenPerson = MfaRequirementInput & {
  userId: string;
  email: string;
  fullName: string;
  epoch: number;
  mfaEnabled: boolean;
};

export type FactorMethod = "totp" | "backup_code";

export type ChallengeMethod = "totp" | "backup";

export const challengeMethod = (name: string | null | undefined): ChallengeMethod =>
  name === "backup" ? "backup" : "totp";

export const OTHER_METHOD = { totp: "backup", backup: "totp" } as const satisfies Record<ChallengeMethod, unknown>;

export type IdentityRequest = { email: string; mfaEnabled: boolean; method: ChallengeMethod };

export type TypedCode = { method: FactorMethod; code: string };

export type TypedIdentity = TypedCode & { password: string };

/**
 * Credentials → challenge → signed in, or without the challenge where no factor is needed. Only the last has a session.
 */
export type SignInState =
  | { at: "credentials" }
  | { at: "challenge"; email: string }
  | { at: "setup_required"; email: string }
  | { at: "reset_request"; isLinkInvalid: boolean }
  /** `isRequired`: the person may open nothing else before. `mark`: see `linkMark`. */
  | { at: "password_update"; email: string; proof: "password"; isRequired: boolean }
  | { at: "password_update"; email: string; proof: "link"; mark: string }
  | { at: "sign_up"; policy: SignUpPolicy }
  | { at: "check_email" }
  /** Tells that the person is signed in. `codesLeft`: a backup code was used, and this many remain. */
  | { at: "signed_in"; destination: string; codesLeft?: number };

/** It never reveals whether an account exists. */
export type SignInError =
  | { code: "form_not_accepted" }
  | { code: "credentials_wrong" }
  | { code: "email_unconfirmed" }
  | { code: "setup_link_needed" }
  | { code: "code_missing" }
  | { code: "code_malformed" }
  | { code: "code_wrong"; attemptsLeft: number }
  /** Tells that the account has no second factor any more: signing in again leads to the set-up. */
  | { code: "factor_not_found" }
  | { code: "challenge_invalid" }
  | { code: "too_many_attempts"; retryAt: Instant }
  | { code: "unavailable"; retryAt: Instant };

export type SignInCode = SignInError["code"];

export type IdentityError =
  | { code: "current_password_missing" | "current_password_wrong" | "code_missing" | "code_malformed" | "code_wrong" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

export const STEP_UP_LIFETIME: Duration = minutes(10);

export type SignInStep<State = SignInState> = { ok: true; value: State } | { ok: false; error: SignInError };

export const stepDone = <State>(value: State): { ok: true; value: State } => ({ ok: true, value });

export const stepFailed = (error: SignInError): { ok: false; error: SignInError } => ({ ok: false, error });

export function nextFactor(
  person: MfaRequirementInput & Pick<ProvenPerson, "mfaEnabled"> & { setupNeedsLink?: boolean },
  now: Instant,
): "none" | "verify" | "setup" {
  if (person.mfaEnabled) return "verify";
  // Whoever had a factor that somebody else removed gets a new one first: the password alone never was enough.
  return person.setupNeedsLink || lacksRequiredMfa(person, now) ? "setup" : "none";
}

/** Limits how long a session lasts without a request, and in total. The lifetime of the cookie has no influence. */
export const SESSION_LIFETIMES: Record<"staff" | "client", { idle: Duration; absolute: Duration }> = {
  staff: { idle: minutes(30), absolute: hours(12) },
  client: { idle: hours(24), absolute: days(14) },
};

export const lifetimesOf = (role: PlatformRole) => SESSION_LIFETIMES[isStaffRole(role) ? "staff" : "client"];

export const MAX_SESSIONS = 10;

export const TOUCH_INTERVAL: Duration = minutes(5);

/** Then the password is locked, except in the owner's known browsers, until a new one is set with a reset link. */
export const MAX_PASSWORD_FAILURES = 100;

export const CHALLENGE_ATTEMPTS = 5;

/** It grants nothing; the guards of the page do. With an empty company domain only the role counts. */
export function landingPath(
  person: { email: string; role: PlatformRole },
  companyDomain: string,
): typeof ADMIN_HOME_PATH | typeof PORTAL_HOME_PATH {
  const isCompanyAddress = companyDomain === "" || domainOf(person.email) === companyDomain;
  return isStaffRole(person.role) && isCompanyAddress ? ADMIN_HOME_PATH : PORTAL_HOME_PATH;
}

/** Returns the path if it belongs to an area that asks for a sign-in, else null. For use before the person is known. */
export const returnPath = (path: unknown): string | null => safeReturnPath(path, { isStaff: true });

/** Returns where a person goes after signing in: the requested path if they may open it, else their landing page. */
export function destinationOf(
  person: { email: string; role: PlatformRole },
  redirectTo: string | null,
  companyDomain: string,
): string {
  return safeReturnPath(redirectTo, { isStaff: isStaffRole(person.role) }) ?? landingPath(person, companyDomain);
}

/** Depends on the domain only: no request is sent, and it says nothing about accounts. */
export function emailHint(email: string, companyDomain: string): string | null {
  if (!email.includes("@") || companyDomain === "") return null;
  return domainOf(email.trim()) === companyDomain
    ? "Admin portal access detected - Enhanced security required"
    : "Client portal access";
}

/** Binds an encrypted TOTP secret to its row: copied to another person's row it cannot be decrypted. */
export const totpSecretContext = (userId: string): string => `user_mfa_settings:totp_secret:${userId}`;

export type PasswordFlaw = "password_too_short" | "password_too_long" | "password_too_simple" | "password_too_common";

export type NewPasswordError = PasswordFlaw | "password_unchanged" | "current_password_wrong" | "link_invalid";

export type EnrollmentError = "enrollment_code_missing" | "enrollment_code_wrong" | "enrollment_invalid";

/** Tells whether the person may switch their second factor off. Staff may, but lose access to the admin area. */
export const mayDisableMfa = ({ role, mfaRequiredSince }: MfaRequirementInput): boolean =>
  isStaffRole(role) || mfaRequiredSince === null;

export type MfaRequirementNotice = { isStaff: boolean; daysLeft: number };

/** Returns the notice for a missing factor, or null when none is needed. `daysLeft` counts started days; 0: overdue. */
export function mfaRequirementNotice(
  person: MfaRequirementInput & { mfaEnabled: boolean },
  now: Instant,
): MfaRequirementNotice | null {
  const dueAt = mfaDeadline(person);
  if (person.mfaEnabled || dueAt === null) return null;
  return { isStaff: isStaffRole(person.role), daysLeft: Math.max(0, Math.ceil((dueAt - now) / days(1))) };
}

/** Sets the number of codes in a set and the length of a code: 8 characters carry 40 random bits. */
export const CODES_PER_SET = 10;
const CODE_LENGTH = 8;

export const FEW_CODES_LEFT = 3;

/** Lists Crockford's Base32 alphabet. It has no I, L, O and U, so no character is mistaken for another. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export const codeFrom = (random: Uint8Array): string =>
  [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

export const normalizeCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[\s-]+/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .slice(0, CODE_LENGTH);

/** Tells whether the text has the format of a code; other text is not hashed, to save time. */
export const isCode = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(text);

/** Splits a code in two for reading. The gap between them is CSS, because the input accepts only eight characters. */
export const splitCode = (code: string): [string, string] => [code.slice(0, 4), code.slice(4)];

export const backupCodesFile = (codes: readonly string[], issuer: string, email: string, generated: string): string =>
  [
    `${issuer} backup codes for ${email}`,
    `Generated: ${generated}`,
    "",
    ...codes,
    "",
    "Each code works once, in place of the code of your authenticator app.",
    "",
  ].join("\n");

/** What the MFA page offers, by whether a second factor is set up. */
export const MFA_CHANGES = { on: ["reconfigure", "codes", "disable"], off: ["enable"] } as const;
export type MfaChange = (typeof MFA_CHANGES)["on" | "off"][number];
