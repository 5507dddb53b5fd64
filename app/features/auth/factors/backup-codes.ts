/** Codes of a set, and characters of a code: 40 bits of chance each. */
export const CODES_PER_SET = 10;
export const CODE_LENGTH = 8;

/** From this number on the person is told to make new ones. */
export const FEW_CODES = 3;

/** Crockford's alphabet has no I, L, O and U: nothing in it is misread for something else. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code out of chance: eight characters, one from each of the first eight bytes. */
export const codeFrom = (random: Uint8Array): string =>
  [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

/** What was typed in the form in which codes are stored: grouping ignored, look-alikes read as what they stand for. */
export const normalizeCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[\s-]+/g, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .slice(0, CODE_LENGTH);

/** Whether text could be a code at all; nothing else is worth a hash. */
export const isCode = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(text);

/** Easier to read in two halves; the gap between them is drawn and not typed, because fields take eight characters. */
export const halvesOf = (code: string): [string, string] => [code.slice(0, 4), code.slice(4)];

/** The text file a person may keep. `generated` is a time in words. */
export const codesAsText = (codes: readonly string[], issuer: string, email: string, generated: string): string =>
  [
    `${issuer} backup codes for ${email}`,
    `Generated: ${generated}`,
    "",
    ...codes,
    "",
    "Each code works once, in place of the code of your authenticator app.",
    "",
  ].join("\n");
