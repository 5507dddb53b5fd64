import { brand } from "~/content/brand";
import type { Ctx } from "~/platform/context.server";
import type { PasswordFlaw } from "../model";
import { isBreached } from "./breached-password.server";
import { commonPasswords } from "./common-passwords.server";

const SHORTEST = 8;
const LONGEST = 256;

/** Lists the kinds of characters a password needs; the last one is the accepted special characters. */
const KINDS = [/\p{Lu}/u, /\p{Ll}/u, /[0-9]/, /[@$!%*?&]/];

/**
 * Returns what is wrong with a new password, or null. Every form with a new password uses this policy. Lengths are
 * counted in code points after NFKC, which is the form that is hashed; nothing is trimmed or shortened.
 */
export async function passwordFlaw(
  ctx: Pick<Ctx, "config" | "request" | "log">,
  password: string,
  email: string,
): Promise<PasswordFlaw | null> {
  const normal = password.normalize("NFKC");
  const length = [...normal].length;
  if (length < SHORTEST) return "password_too_short";
  if (length > LONGEST) return "password_too_long";
  if (ctx.config.PASSWORD_COMPOSITION === "1" && !KINDS.every((kind) => kind.test(normal)))
    return "password_too_simple";
  if (isCommon(normal.toLowerCase(), email)) return "password_too_common";
  return (await isBreached(ctx, normal)) ? "password_too_common" : null;
}

function isCommon(password: string, email: string): boolean {
  const [localPart = ""] = email.toLowerCase().split("@");
  const ownWords = [brand.name, brand.domain, localPart, email, "password", "welcome"];
  return commonPasswords().has(password) || ownWords.some((word) => word.toLowerCase() === password);
}
