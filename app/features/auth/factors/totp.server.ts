import { HOTP, Secret, TOTP } from "otpauth";
import { type Duration, type Instant, seconds } from "~/lib/time";
import { equalInConstantTime } from "~/platform/crypto.server";

/** Sets the lifetime of a code; the step is the number of such periods since 1970. */
export const CODE_PERIOD: Duration = seconds(30);
const DIGITS = 6;
/** Lists the accepted steps around the current one: the clocks of phones are a little off. */
const WINDOW = [-1, 0, 1] as const;

/** Returns the step whose code counts at an instant. */
export const stepAt = (now: Instant): number => Math.floor(now / CODE_PERIOD);

/** Sets the length of a secret to the output length of SHA-1, in bytes (RFC 4226). */
const SECRET_BYTES = 20;

/** Returns a secret in base32, made of the first 20 random bytes. They are copied, because views may share a buffer. */
export const secretFrom = (random: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random.subarray(0, SECRET_BYTES)).buffer }).base32;

/** Returns the `otpauth:` URI for the QR code, as authenticator apps read it. */
export const otpauthUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: DIGITS,
    period: CODE_PERIOD / 1_000,
  }).toString();

/** Returns the code of a step (RFC 6238: SHA-1, 6 digits). `secret` is base32. */
export function codeAt(secret: string, step: number): string {
  return HOTP.generate({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: DIGITS, counter: step });
}

/**
 * Returns the step a code belongs to, or null. All candidates are compared, each in constant time, so that the time
 * taken says nothing about them. The caller must reject a step that was accepted before: a code may be used once.
 */
export function matchingStep(secret: string, code: string, now: Instant): number | null {
  let match: number | null = null;
  for (const offset of WINDOW) {
    const step = stepAt(now) + offset;
    const isEqual = equalInConstantTime(code, codeAt(secret, step));
    match = isEqual ? step : match;
  }
  return match;
}
