import { lacksRequiredMfa, type MfaRequirementInput } from "~/access/mfa-requirement";
import { isStaffRole, type PlatformRole } from "~/access/model";
import type { SignUpPolicy } from "~/features/settings/model";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { safeReturnPath } from "~/lib/safe-path";
import { type Duration, days, hours, type Instant, minutes } from "~/lib/time";

/** Describes an account whose password has just been checked. A later change of its `epoch` invalidates this proof. */
export type ProvenPerson = MfaRequirementInput & {
  userId: string;
  email: string;
  fullName: string;
  epoch: number;
  mfaEnabled: boolean;
};

/** Names the two methods of proving the second factor. */
export type FactorMethod = "totp" | "backup_code";

/** Names the same two methods in the words of forms and URLs. */
export type ChallengeMethod = "totp" | "backup";

/** Returns the method that a form or an address names. */
export const challengeMethod = (name: string | null | undefined): ChallengeMethod =>
  name === "backup" ? "backup" : "totp";

/** Names the method that is offered instead of another. */
export const OTHER_METHOD = { totp: "backup", backup: "totp" } as const satisfies Record<ChallengeMethod, unknown>;

/** Holds what a form asks for as a proof of identity where the last one is too old. */
export type IdentityRequest = { email: string; mfaEnabled: boolean; method: ChallengeMethod };

/** Holds a code as it was typed. */
export type TypedCode = { method: FactorMethod; code: string };

/** Holds a proof of identity as it was typed. */
export type TypedIdentity = TypedCode & { password: string };

/**
 * Describes the state of a sign-in: credentials → challenge → signed in, or credentials → signed in where no second
 * factor is needed. Only the last state has a session.
 */
export type SignInState =
  | { at: "credentials" }
  /** Tells that the password was right; a code is needed. */
  | { at: "challenge"; email: string }
  /** Tells that the password was right, but a second factor is required and none is set up. */
  | { at: "setup_required"; email: string }
  /**
   * Asks for the e-mail address, as the password is lost. `isLinkInvalid`: the person opened a link that is no longer
   * valid.
   */
  | { at: "reset_request"; isLinkInvalid: boolean }
  /**
   * Asks for a new password. `proof` is what allows it: a mail link, or the current password of a signed-in person.
   * `isRequired`: the person may open nothing else before. `mark`: see `linkMark`.
   */
  | { at: "password_update"; email: string; proof: "password"; isRequired: boolean }
  | { at: "password_update"; email: string; proof: "link"; mark: string }
  | { at: "sign_up"; policy: SignUpPolicy }
  /** Follows a sign-up, until the link in the mail is opened. */
  | { at: "check_email" }
  /** Tells that the person is signed in. `codesLeft`: a backup code was used, and this many remain. */
  | { at: "signed_in"; destination: string; codesLeft?: number };

/** Names the reason why a step of the sign-in failed. It never reveals whether an account exists. */
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

/** Names the reason why a signed-in person could not confirm their identity. */
export type IdentityError =
  | { code: "current_password_missing" | "current_password_wrong" | "code_missing" | "code_malformed" | "code_wrong" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

/** Limits how long a proof of identity is valid. */
export const STEP_UP_LIFETIME: Duration = minutes(10);

/** Holds the result of a step: the new state, or the reason why the state did not change. */
export type SignInStep<State = SignInState> = { ok: true; value: State } | { ok: false; error: SignInError };

/** Returns the result of a step that led to another state. */
export const stepDone = <State>(value: State): { ok: true; value: State } => ({ ok: true, value });

/** Returns the result of a step that was rejected. */
export const stepFailed = (error: SignInError): { ok: false; error: SignInError } => ({ ok: false, error });

/** Returns what follows a right password: an existing factor is always verified, a required missing one is set up. */
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

/** Returns how long sessions of a role last, without a request and in total. */
export const lifetimesOf = (role: PlatformRole) => SESSION_LIFETIMES[isStaffRole(role) ? "staff" : "client"];

/** Limits the open sessions per person; one more sign-in ends the oldest. */
export const MAX_SESSIONS = 10;

/** Limits how often the end of a session is extended, to avoid a write at every request. */
export const TOUCH_INTERVAL: Duration = minutes(5);

/**
 * Limits the wrong passwords in a row; then the password is locked, except in the owner's known browsers, until a new
 * one is set with a reset link.
 */
export const MAX_PASSWORD_FAILURES = 100;

/** Limits the codes per challenge; then the person must sign in again. */
export const CHALLENGE_ATTEMPTS = 5;

const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns the page after signing in: the admin area for staff with an address of the company, the portal for everyone
 * else. It grants nothing; the guards of the page do. With an empty company domain only the role counts.
 */
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

/**
 * Returns the hint under the e-mail field; null when the text is not an address yet, or where no company domain tells
 * the two apart. It depends on the domain only: no request is sent, and it says nothing about accounts.
 */
export function emailHint(email: string, companyDomain: string): string | null {
  if (!email.includes("@") || companyDomain === "") return null;
  return domainOf(email.trim()) === companyDomain
    ? "Admin portal access detected - Enhanced security required"
    : "Client portal access";
}

/** Binds an encrypted TOTP secret to its row: copied to another person's row it cannot be decrypted. */
export const totpSecretContext = (userId: string): string => `user_mfa_settings:totp_secret:${userId}`;

/** Names what is wrong with a new password, in the order of the checks. */
export type PasswordFlaw = "password_too_short" | "password_too_long" | "password_too_simple" | "password_too_common";

/** Names the reason why a new password was not set. */
export type NewPasswordError = PasswordFlaw | "password_unchanged" | "current_password_wrong" | "link_invalid";

/** Names the reason why an authenticator was not set up. */
export type EnrollmentError = "enrollment_code_missing" | "enrollment_code_wrong" | "enrollment_invalid";
