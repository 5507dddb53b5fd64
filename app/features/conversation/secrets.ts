import type { FieldErrors } from "~/lib/form";
import { secretWarning } from "./labels";

type Secret = "password" | "card";

/**
 * Finds the word, and what follows it on the same line: "password: hunter2", "the password for Dana is Blue-42". Every
 * part is limited, so that no text takes longer than its length says.
 */
const PASSWORD =
  /\b(?:password|passcode|passphrase|pwd)\b(?<between>[^\S\n]{0,20}(?:for [^\n.:=]{1,40} )?(?:is|was|=|:)?)[^\S\n]{0,20}["'“‘`]?(?<value>[^\s"'”’`]{4,100})/giu;

const CARD = /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g;

/**
 * Tells whether a text seems to hold a password or the number of a payment card. It is a warning for people who can
 * send it anyway, so that it may be wrong: "password reset" is none, "password: reset2026" is.
 */
export function secretIn(text: string): Secret | null {
  for (const { groups } of text.matchAll(PASSWORD)) {
    const { between = "", value = "" } = groups ?? {};
    if (/[=:]\s*$/.test(between) || isLikelyPassword(value)) return "password";
  }
  return (text.match(CARD) ?? []).some((found) => hasCheckDigit(found.replace(/\D/g, ""))) ? "card" : null;
}

const isLikelyPassword = (word: string): boolean => {
  const trimmed = word.replace(/[.,;:!?)]+$/, "");
  return trimmed.length >= 4 && /\p{L}/u.test(trimmed) && /[\d@#$%^&*_+=!]/.test(trimmed);
};

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}

/**
 * Asks about texts that seem to hold what does not belong into them, each at its field. Null: none does, or the
 * question was answered: `asked` is what the form was asked about before. A password counts more than the number of a
 * card, so that two fields are asked about once.
 */
export function askAboutSecrets(
  texts: Readonly<Record<string, string | null | undefined>>,
  asked: string | undefined,
): { secret: Secret; errors: FieldErrors } | null {
  const found = Object.entries(texts).flatMap(([field, text]) => {
    const secret = secretIn(text ?? "");
    return secret ? [{ field, secret }] : [];
  });
  if (found.length === 0) return null;
  const secret = found.some((one) => one.secret === "password") ? "password" : "card";
  if (asked === secret) return null;
  return { secret, errors: Object.fromEntries(found.map((one) => [one.field, secretWarning(one.secret)])) };
}
