import { assertNever } from "~/lib/assert";
import { type Duration, hours, type Instant, seconds } from "~/lib/time";
import type { SendOutcome } from "~/platform/mailer.server";

/** Limits the attempts before a mail is given up. */
export const MAX_ATTEMPTS = 8;

const FIRST_DELAY = seconds(30);
const LONGEST_DELAY = hours(6);
/** Sets the delay after a configuration error: a person has to fix it, and that takes time. */
const CONFIGURATION_DELAY = hours(1);
/** Limits the delay of a mail that came too fast. */
const LONGEST_RATE_DELAY = hours(1);

export type Attempt = {
  /** Holds the number of this attempt; the first one is 1. */
  attempts: number;
  /** Tells whether the provider recognizes a mail it has already taken. */
  isIdempotent: boolean;
  now: Instant;
  /** Says how long ago the mail was written. */
  age: Duration;
  /** Holds a random number between 0 and 1, another for each attempt. */
  random: number;
};

export type NextStep =
  | { status: "sent" }
  /**
   * Is tried again. `at` null: it keeps its place in the order. `counts`: whether the attempt brings the mail closer to
   * being given up.
   */
  | { status: "pending"; at: Instant | null; counts: boolean }
  /** Is left to a person: sending again by itself could give the recipient two mails. */
  | { status: "uncertain" }
  | { status: "dead" };

/**
 * Returns what happens to a mail after an attempt: the whole retry policy. Clock and random numbers are passed in.
 */
export function nextStep(outcome: SendOutcome, { attempts, isIdempotent, now, age, random }: Attempt): NextStep {
  switch (outcome.kind) {
    case "sent":
      return { status: "sent" };
    case "permanent":
      return { status: "dead" };
    case "configuration":
      return { status: "pending", at: now + CONFIGURATION_DELAY, counts: false };
    case "quota":
      return { status: "pending", at: null, counts: false };
    case "rate_limited": {
      // The longer a mail has waited, the less often it is tried, without counting.
      const longest = Math.min(LONGEST_RATE_DELAY, Math.max(FIRST_DELAY, age));
      return { status: "pending", at: now + Math.floor(random * longest), counts: false };
    }
    case "unknown":
      return isIdempotent ? tryAgain(attempts, now, random) : { status: "uncertain" };
    case "transient":
      return tryAgain(attempts, now, random);
    default:
      return assertNever(outcome);
  }
}

function tryAgain(attempts: number, now: Instant, random: number): NextStep {
  if (attempts >= MAX_ATTEMPTS) return { status: "dead" };
  return { status: "pending", at: now + Math.floor(random * longestWait(attempts)), counts: true };
}

/**
 * Returns the upper limit of the delay, which doubles with each attempt. The delay is a random part of it, so that
 * mails do not all retry at once.
 */
const longestWait = (attempts: number): Duration => Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1));
