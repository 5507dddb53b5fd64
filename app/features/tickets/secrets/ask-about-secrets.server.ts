import type { FieldErrors } from "~/lib/form";
import { type Secret, secretIn } from "./find-secret";
import { secretWarning } from "./words";

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
