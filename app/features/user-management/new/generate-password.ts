/*
 * Passwords that one person hands to another. Letters and digits that look alike are left out, because they are read
 * aloud and typed from paper; of the special characters only those the password policy accepts.
 */
const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const LOWER = "abcdefghijkmnpqrstuvwxyz";
const DIGITS = "23456789";
const SPECIAL = "@$!%&*";
const KINDS = [UPPER, LOWER, DIGITS, SPECIAL];
const ALL = KINDS.join("");

const GENERATED_LENGTH = 12;

/** Says how many random bytes a password takes: two for each character, and two for the place of each. */
export const RANDOM_BYTES = 4 * GENERATED_LENGTH;

/** Makes a password with at least one character of each kind that the policy asks for. */
export function generatePassword(random: Uint8Array): string {
  let used = 0;
  // Of 65,536 values, so that no choice is noticeably more likely than another.
  const pick = (count: number) => {
    const value = (random[used] ?? 0) * 256 + (random[used + 1] ?? 0);
    used += 2;
    return value % count;
  };
  const characters = Array.from({ length: GENERATED_LENGTH }, (_, index) => {
    const kind = KINDS[index] ?? ALL;
    return kind.charAt(pick(kind.length));
  });
  // The kinds stood in their order until here.
  for (let last = GENERATED_LENGTH - 1; last > 0; last -= 1) {
    const other = pick(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? "", characters[last] ?? ""];
  }
  return characters.join("");
}
