import { plural } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { SignInCode, SignInRefusal } from "./model";

type Words = {
  /** Heads the page. */
  title: string;
  /** The field the sentence stands at; `form` is the form as a whole. */
  field: "form" | "code";
  sentence: string;
};

/** One sentence per refusal. Unknown account, wrong password and closed account share theirs. */
const REFUSALS: Record<Exclude<SignInCode, "too_many_attempts">, Words> = {
  form_not_accepted: {
    title: "Security Error",
    field: "form",
    sentence: "Please complete the security verification",
  },
  credentials_missing: { title: "Validation Error", field: "form", sentence: "Enter your email and password." },
  credentials_wrong: { title: "Sign In Failed", field: "form", sentence: "Invalid email or password" },
  email_unconfirmed: { title: "Sign In Failed", field: "form", sentence: "Confirm your email first" },
  code_missing: { title: "Verification Required", field: "code", sentence: "Please enter a verification code" },
  code_malformed: { title: "Verification Required", field: "code", sentence: "Invalid code" },
  code_wrong: { title: "Verification Required", field: "code", sentence: "Invalid verification code" },
  challenge_over: {
    title: "Sign In Failed",
    field: "form",
    sentence: "Your sign-in took too long. Please sign in again.",
  },
  unavailable: {
    title: "Sign In Failed",
    field: "form",
    sentence: "We can't complete sign-in right now. Please try again.",
  },
};

/** A refusal in words. */
export function wordsFor(refusal: SignInRefusal, now: Instant): Words {
  if (refusal.code === "too_many_attempts") {
    const wait = Math.max(1, Math.ceil((refusal.retryAt - now) / 60_000));
    const sentence = `Too many attempts. Try again in ${plural(wait, "minute")}.`;
    return { title: "Sign In Failed", field: "form", sentence };
  }
  const words = REFUSALS[refusal.code];
  if (refusal.code === "code_wrong" && refusal.attemptsLeft === 0) {
    // The card with the code field is gone by now.
    return { title: "Sign In Failed", field: "form", sentence: `${words.sentence}. Please sign in again.` };
  }
  return words;
}

/** Why someone was sent to the sign-in page, if it needs saying. */
export function reasonFor(redirectTo: string | null): string | undefined {
  return /^\/(profile|admin\/settings)(\/|\?|$)/.test(redirectTo ?? "") ? "Please log in to view settings" : undefined;
}

export const SIGNED_OUT = { title: "Signed out", message: "You're signed out." };
export const SIGN_OUT_REFUSED = { title: "Sign Out Failed", message: "Please complete the security verification" };

/** For staff whose account has no second factor yet. */
export const SETUP_REQUIRED = {
  title: "Set up your authenticator",
  sentence: "Your account needs a second step at sign-in before it can be used, and it has not been set up yet.",
  next: "Ask an administrator to finish your set-up.",
};
