/** Sets the number of codes in a set and the length of a code: 8 characters carry 40 random bits. */
export const CODES_PER_SET = 10;
export const CODE_LENGTH = 8;

/** Sets the number of remaining codes at which the person is told to make new ones. */
export const FEW_CODES_LEFT = 3;

/** Lists Crockford's Base32 alphabet. It has no I, L, O and U, so no character is mistaken for another. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns a code made of random bytes: one character from each of the first eight bytes. */
export const codeFrom = (random: Uint8Array): string =>
  [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** Normalizes a typed code: upper case, without spaces and hyphens, with O read as 0 and I and L as 1. */
export const normalizeCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[\s-]+/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .slice(0, CODE_LENGTH);

/** Tells whether the text has the format of a code; other text is not hashed, to save time. */
export const isCode = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(text);

/** Splits a code in two for reading. The gap between them is CSS, because the input accepts only eight characters. */
export const splitCode = (code: string): [string, string] => [code.slice(0, 4), code.slice(4)];

/** Returns the text file of backup codes. `generated` is a formatted date and time. */
export const backupCodesFile = (codes: readonly string[], issuer: string, email: string, generated: string): string =>
  [
    `${issuer} backup codes for ${email}`,
    `Generated: ${generated}`,
    "",
    ...codes,
    "",
    "Each code works once, in place of the code of your authenticator app.",
    "",
  ].join("\n");
