import type { Instant } from "./time";

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9a-z_]{1,40}$/.test(text.slice(prefix.length + 1));

/** Sorts by creation time, like a ULID: 10 characters of time (48 bits of milliseconds), 16 random ones (80 bits). */
export function sortableId(prefix: string, at: Instant, random: Uint8Array): string {
  let time = "";
  for (let rest = at, index = 0; index < 10; index += 1) {
    time = BASE32[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let suffix = "";
  for (const byte of random.subarray(0, 16)) suffix += BASE32[byte % 32];
  return `${prefix}_${time}${suffix}`;
}

const PREFIXES = { submission: "L", ticket: "T", quote: "Q" } as const;

/** Formats a number for people to quote: `referenceNumber("submission", 1001)` → `L-1001`. */
export const referenceNumber = (type: keyof typeof PREFIXES, number: number): string => `${PREFIXES[type]}-${number}`;
