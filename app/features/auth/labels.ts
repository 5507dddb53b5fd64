import type { Ability } from "~/access/policy";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { plural, tooManyAttempts } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { EnrollmentError, IdentityError, NewPasswordError, PasswordFlaw, SignInCode, SignInError } from "./model";

type ErrorText = {
  title: string;
  field: "form" | "code";
  sentence: string;
};

/**
 * Unknown account, wrong password and deactivated account share a sentence. Plain values: so pages that show other
 * texts of this module are built without these.
 */
const SIGN_IN_SENTENCES: Record<Exclude<SignInCode, "too_many_attempts">, string> = {
  form_not_accepted: "Please complete the security verification",
  credentials_wrong: "Invalid email or password",
  email_unconfirmed: "Confirm your email first",
  setup_link_needed:
    "Your two-step sign-in was reset. Open the set-up link we sent to your email address, then sign in.",
  code_missing: "Please enter a verification code",
  code_malformed: "Invalid code",
  code_wrong: "Invalid verification code",
  factor_not_found: "MFA settings not found. Please sign in again.",
  challenge_invalid: "Your sign-in took too long. Please sign in again.",
  unavailable: "We can't complete sign-in right now. Please try again.",
};

export const CREDENTIALS_MISSING = "Enter your email and password.";

const signInFailed = (sentence: string): ErrorText => ({ title: "Sign In Failed", field: "form", sentence });

export function errorText(error: SignInError, now: Instant): ErrorText {
  if (error.code === "too_many_attempts") return signInFailed(tooManyAttempts(error.retryAt, now));
  const sentence = SIGN_IN_SENTENCES[error.code];
  switch (error.code) {
    case "form_not_accepted":
      return { title: "Security Error", field: "form", sentence };
    case "code_wrong":
      // The card with the code field is no longer shown.
      if (error.attemptsLeft === 0) return signInFailed(`${sentence}. Please sign in again.`);
      return { title: "Verification Required", field: "code", sentence };
    case "code_missing":
    case "code_malformed":
      return { title: "Verification Required", field: "code", sentence };
    default:
      return signInFailed(sentence);
  }
}

export const ENROLLMENT_TITLE = "Set up your authenticator";

export type AccountCode =
  | PasswordFlaw
  | NewPasswordError
  | EnrollmentError
  | Exclude<IdentityError["code"], "too_many_attempts" | "unavailable">
  | "form_not_accepted"
  | "email_required"
  | "email_invalid"
  | "email_taken"
  | "password_missing"
  | "password_not_repeated"
  | "passwords_missing"
  | "passwords_differ"
  | "new_passwords_differ"
  | "password_far_too_short"
  | "factor_required"
  | "factor_not_found"
  | "link_other";

/** Apart, so that pages which show only these are built without the others. */
export const LINK_INVALID = "This link is no longer valid. Ask for a new one.";
export const FACTOR_NOT_FOUND = "MFA settings not found";

export const SENTENCES: Record<AccountCode, string> = {
  form_not_accepted: "Please complete the security verification",
  email_required: "Email is required",
  email_invalid: "Please enter a valid email address",
  email_taken: "This address can't be used for your account.",
  password_missing: "Password is required",
  password_not_repeated: "Enter the password again.",
  passwords_missing: "Enter the new password twice.",
  passwords_differ: "Passwords do not match",
  new_passwords_differ: "New passwords do not match",
  password_far_too_short: "Password must be at least 6 characters long",
  password_too_short: "Password must be at least 8 characters long",
  password_too_long: "Password must be at most 256 characters long",
  password_too_simple:
    "Password must contain at least one uppercase letter, lowercase letter, number, and special character",
  password_too_common: "That password is too common",
  password_unchanged: "Choose a password other than the current one.",
  current_password_missing: "Enter your current password.",
  current_password_wrong: "Current password is incorrect",
  link_invalid: LINK_INVALID,
  link_other: "You have opened another link since, so nothing was changed. Open the one you want again.",
  code_missing: "Please enter a verification code",
  code_malformed: "Invalid code",
  code_wrong: "Invalid verification code",
  enrollment_code_missing: "Please enter the 6-digit code from your authenticator app.",
  enrollment_code_wrong: "Invalid verification code",
  enrollment_invalid: "The set-up took too long. Please start again.",
  factor_required: "Your organization requires two-step sign-in.",
  factor_not_found: FACTOR_NOT_FOUND,
};

export const PASSWORD_CHANGE_REQUIRED = "Someone else set your password. Choose your own to continue.";

export const PASSWORD_RULES =
  "At least 8 characters, with an uppercase letter, a lowercase letter, a digit and one of @ $ ! % * ? &";

export const TITLES = {
  security: "Security Error",
  validation: "Validation Error",
  signUp: "Sign Up Failed",
  reset: "Password Reset Failed",
  update: "Password Update Failed",
  verification: "Verification Required",
  setup: "MFA Setup Failed",
  disable: "Failed to Disable MFA",
  codes: "Failed to Regenerate Codes",
} as const;

export const CHECK_EMAIL = {
  title: "Check Your Email",
  message: "Open the link in the mail to activate your account.",
};
export const RESET_QUEUED = {
  title: "Password Reset Email Sent",
  message: "Please check your email for password reset instructions.",
};
export const MAIL_DELAYED =
  "Our mail is delayed right now. If none has come within an hour, ask again later today or tomorrow.";
export const RESET_SENT = "Password reset email sent! Check your inbox for instructions.";
export const PASSWORD_UPDATED = {
  title: "Password Updated",
  message: "Your password has been successfully updated. Please sign in with your new password.",
};
export const PASSWORD_UPDATED_FIRST = {
  title: "Password Updated",
  message: "Your password has been successfully updated. Now set up your authenticator.",
};
export const PASSWORD_CHANGED = { title: "Success", message: "Password updated successfully" };
export const MFA_SET_UP = {
  title: "MFA Setup Complete",
  message: "Multi-factor authentication has been successfully enabled.",
};
export const mfaDisabled = ({ isStaff }: { isStaff: boolean }) => ({
  title: "MFA Disabled",
  message: isStaff
    ? "The admin area is closed to you until you set it up again."
    : "You now sign in with your password only.",
});
export const CODES_SAVED = { title: "Success", message: "Your new backup codes are in use." };
export const CODES_RENEWED = { title: "Backup Codes Regenerated", message: "Your old codes no longer work." };
export const EMAIL_CONFIRMED = { title: "Email confirmed", message: "Your account is ready." };
export const EMAIL_CHANGED = { title: "Success", message: "Your email address was changed." };
export const EMAIL_UNDONE = {
  title: "Change undone",
  message: "Your old address is back, and everyone was signed out. Now choose a new password.",
};
export const ALL_SIGNED_OUT = {
  title: "Everyone was signed out",
  message: "Now choose a new password, to keep others out.",
};
export const SESSION_REVOKED = { title: "Success", message: "The session was signed out." };
export const SESSION_NOT_OPEN = {
  title: "Nothing changed",
  message: "That session was not open any more. The list shows the sessions that are.",
};
export const SESSIONS_REVOKED = { title: "Success", message: "All other sessions were signed out." };
export const IDENTITY_CONFIRMED = { title: "Success", message: "Identity confirmed." };

export const codesLeftText = (left: number) => `${plural(left, "code")} left`;

export const ACCESS_RESTRICTED = "Access Restricted";
export const RESTRICTION = "Only organization admins can open this page.";
export const RESTRICTIONS: Partial<Record<Ability, string>> = {
  "member.list": "Only organization admins can manage team members.",
  "member.invite": "Only organization admins can manage team members.",
  "member.change": "Only organization admins can manage team members.",
  "member.export": "Only organization admins can manage team members.",
  "organization.require_mfa": "Only the organization's owner can open this page.",
  "organization.transfer": "Only the organization's owner can open this page.",
  "organization.audit": "Only the organization's owner can open this page.",
  "organization.edit": "Only organization admins can change organization settings.",
};

export const NO_ORGANIZATION = {
  title: "No organization selected",
  text: "This page belongs to an organization. Create or join one first.",
  ways: {
    create: { label: "Create an organization", to: `${PORTAL_HOME_PATH}#create` },
    join: { label: "Join an organization", to: PORTAL_HOME_PATH },
  },
};

export const suspended = (organization: string) => ({
  title: `Your access to ${organization} is suspended.`,
  text: "Ask its owner or an admin to reactivate you.",
});
