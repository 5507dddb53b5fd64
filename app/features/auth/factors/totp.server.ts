import { HOTP, Secret, TOTP } from "otpauth";
import { type Duration, type Instant, seconds } from "~/lib/time";
import { equalInConstantTime } from "~/platform/crypto.server";

/** One code per 30 seconds; the step is the number of such periods since 1970. */
const PERIOD: Duration = seconds(30);
const DIGITS = 6;
/** Codes of the neighbouring steps are accepted too: clocks of phones are a little off. */
const WINDOW = [-1, 0, 1] as const;

export const stepAt = (now: Instant): number => Math.floor(now / PERIOD);

/** Bytes of a secret: as many as SHA-1 has (RFC 4226). */
const SECRET_BYTES = 20;

/** A new secret in base32, out of at least 20 random bytes. They are copied: a view may share its memory with others. */
export const secretFrom = (random: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random.subarray(0, SECRET_BYTES)).buffer }).base32;

/** What a QR code carries: an address that authenticator apps know how to read. */
export const otpauthUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD / 1_000,
  }).toString();

/** The code of a step (RFC 6238: SHA-1, 6 digits). `secret` is base32, as shown to authenticator apps. */
export function codeAt(secret: string, step: number): string {
  return HOTP.generate({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: DIGITS, counter: step });
}

/**
 * The step a code belongs to, or null. All candidates are compared, each in constant time, so that the time taken does
 * not tell which one came close. The caller must refuse a step that was accepted before: a code may be used once.
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
