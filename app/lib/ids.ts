import type { Instant } from "./time";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A prefixed id that sorts by creation time: 10 characters of time (48 bits of milliseconds), 16 of chance (80 bits).
 * The caller supplies clock and dice. Example: `sub_01jd3v8q4k7x…`.
 */
export function sortableId(prefix: string, at: Instant, random: Uint8Array): string {
  let time = "";
  for (let rest = at, place = 0; place < 10; place += 1) {
    time = CROCKFORD[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  let chance = "";
  for (const byte of random.subarray(0, 16)) chance += CROCKFORD[byte % 32];
  return `${prefix}_${time}${chance}`;
}
