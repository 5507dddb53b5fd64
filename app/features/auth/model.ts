import { isStaffRole, type PlatformRole } from "~/access/model";
import { returnAreas } from "~/lib/areas";
import { safePath } from "~/lib/safe-path";
import { type Duration, days, hours, type Instant, minutes } from "~/lib/time";
import { lacksRequiredMfa, type MfaSubject } from "./factors/mfa-requirement";

/** An account whose password has just been proved. `epoch` ties everything that follows to this very moment. */
export type ProvenPerson = MfaSubject & {
  userId: string;
  email: string;
  fullName: string;
  epoch: number;
  mfaEnabled: boolean;
};

/** The two ways of proving the second factor. */
export type FactorMethod = "totp" | "backup_code";

/** The same two, as forms and addresses name them. */
export type ChallengeMethod = "totp" | "backup";

/** A code as it was typed. */
export type TypedCode = { method: FactorMethod; code: string };

/** A proof of identity as it was typed. */
export type TypedIdentity = TypedCode & { password: string };

/**
 * Where a sign-in stands: credentials → challenge → signed in, or credentials → signed in where no second factor is
 * asked for. There is a session in the last state only.
 */
export type SignInState =
  | { at: "credentials" }
  /** The password was right; a code is awaited. */
  | { at: "challenge"; email: string }
  /** The password was right, a second factor is demanded, and none has been set up. */
  | { at: "setup_required"; email: string }
  /** A lost password: the address is asked for. `linkIsOver`: of somebody who came by a link that opens nothing. */
  | { at: "reset_request"; linkIsOver: boolean }
  /**
   * A new password is asked for. What allows it: the link of a mail, the current password of somebody signed in, or
   * nothing, when somebody came by an old link that carries no power. `isDue`: nothing else is open until it is done.
   */
  | { at: "password_update"; email: string; proof: "link" | "password" | "none"; isDue?: boolean }
  | { at: "sign_up" }
  /** After a sign-up: the link in the mail is next. */
  | { at: "check_email" }
  /** `codesLeft`: a backup code was used, and this many remain. */
  | { at: "signed_in"; destination: string; codesLeft?: number };

/** Why a step of the sign-in failed. Nobody learns from it whether an account exists. */
export type SignInError =
  | { code: "form_not_accepted" }
  | { code: "credentials_missing" }
  | { code: "credentials_wrong" }
  | { code: "email_unconfirmed" }
  | { code: "setup_link_needed" }
  | { code: "code_missing" }
  | { code: "code_malformed" }
  | { code: "code_wrong"; attemptsLeft: number }
  | { code: "challenge_over" }
  | { code: "too_many_attempts"; retryAt: Instant }
  | { code: "unavailable"; retryAt: Instant };

export type SignInCode = SignInError["code"];

/** Why a signed-in person could not prove who they are. */
export type IdentityError =
  | { code: "current_password_missing" | "current_password_wrong" | "code_missing" | "code_malformed" | "code_wrong" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

/** How long a proof of identity counts for what needs a fresh one. */
export const STEP_UP_LIFETIME: Duration = minutes(10);

/** The result of a step: where the sign-in stands now, or why it stays where it was. */
export type SignInStep<State = SignInState> = { ok: true; value: State } | { ok: false; error: SignInError };

export const reached = <State>(value: State): { ok: true; value: State } => ({ ok: true, value });
export const stepFailed = (error: SignInError): { ok: false; error: SignInError } => ({ ok: false, error });

/** What the right password leads to: a factor that is there is always asked for, one that must be there is set up. */
export function nextFactor(
  person: MfaSubject & Pick<ProvenPerson, "mfaEnabled">,
  now: Instant,
): "none" | "verify" | "setup" {
  if (person.mfaEnabled) return "verify";
  return lacksRequiredMfa(person, now) ? "setup" : "none";
}

/** How long a session lives without a request, and at all. The cookie's own lifetime decides nothing. */
export const SESSION_LIFETIMES: Record<"staff" | "client", { idle: Duration; absolute: Duration }> = {
  staff: { idle: minutes(30), absolute: hours(12) },
  client: { idle: hours(24), absolute: days(14) },
};

export const lifetimesOf = (role: PlatformRole) => SESSION_LIFETIMES[isStaffRole(role) ? "staff" : "client"];

/** Live sessions per person; a further sign-in ends the oldest. */
export const MAX_SESSIONS = 10;

/** The end of a session is moved at most this often: not every request is worth a write. */
export const TOUCH_INTERVAL: Duration = minutes(5);

/** Wrong codes before a challenge is dead and the person starts again. */
export const CHALLENGE_ATTEMPTS = 5;

const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

/**
 * The page after signing in: the office for staff with an address of the company, the portal for everyone else. A
 * convenience only; what may be opened there is decided there. With no company domain set, the role decides alone.
 */
export function landingPath(
  person: { email: string; role: PlatformRole },
  companyDomain: string,
): "/admin" | "/client" {
  const isCompanyAddress = companyDomain === "" || domainOf(person.email) === companyDomain;
  return isStaffRole(person.role) && isCompanyAddress ? "/admin" : "/client";
}

/** Every address that can ask for a sign-in: what a form may remember before it is known who signs in. */
export const returnPath = (wanted: unknown): string | null =>
  safePath(wanted, returnAreas({ isStaff: true }), "") || null;

/** Where a person goes: back to where they came from if that is theirs to open, else to their landing page. */
export function destinationOf(
  person: { email: string; role: PlatformRole },
  wanted: string | null,
  companyDomain: string,
): string {
  const areas = returnAreas({ isStaff: isStaffRole(person.role) });
  return safePath(wanted, areas, landingPath(person, companyDomain));
}

/**
 * The line under the e-mail field once an address has been typed. It is computed from the domain alone: no request
 * leaves the page, and it says nothing about accounts. Null: not an address yet.
 */
export function hint(email: string, companyDomain: string): string | null {
  if (!email.includes("@")) return null;
  return domainOf(email.trim()) === companyDomain
    ? "Admin portal access detected - Enhanced security required"
    : "Client portal access";
}

/** Ties a sealed TOTP secret to its row: moved to another person's row it cannot be opened. */
export const totpSecretContext = (userId: string): string => `user_mfa_settings:totp_secret:${userId}`;

/** What is wrong with a password that somebody wants to have, in the order in which it is checked. */
export type PasswordFlaw = "password_too_short" | "password_too_long" | "password_too_plain" | "password_too_common";

/** Why a new password was not set. */
export type NewPasswordError = PasswordFlaw | "password_unchanged" | "current_password_wrong" | "link_over";

/** Why an authenticator was not set up. */
export type EnrollmentError = "enrollment_code_missing" | "enrollment_code_wrong" | "enrollment_over";
