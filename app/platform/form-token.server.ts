import { fail, ok, type Result } from "~/lib/result";
import { type Duration, hours, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";
import { equalInConstantTime, keyedHash } from "./crypto.server";

/** A form filled in faster than this was not filled in by a person. Demanded of anonymous forms only. */
export const MINIMUM_FILL_TIME: Duration = seconds(2);
const LIFETIME: Duration = hours(24);

/** Forms that anyone may send: a session that begins or ends while one is filled in must not spoil it. */
const ANONYMOUS: ReadonlySet<string> = new Set(["contact"]);

export type FormTokenError = "token_missing" | "token_forged" | "token_too_fast" | "token_expired";

/**
 * A token for one kind of form: `v1.1.<purpose>.<issued, ms>.<nonce>.<mac>`, bound to the session or to nobody.
 *
 * It is three things at once: proof that the form was ours (CSRF), the key under which the result is kept (a repeated
 * post meets the first one's row), and on anonymous forms the bot token. It survives the Back button until the action
 * succeeds. `purpose` is lower-case letters, digits, hyphens and colons.
 */
export function issueFormToken(ctx: Ctx, purpose: string): string {
  const issued = String(ctx.now());
  const nonce = ctx.newToken().slice(0, 22);
  return `v1.1.${purpose}.${issued}.${nonce}.${mac(ctx, purpose, issued, nonce)}`;
}

/** Checks a posted token; the nonce is the idempotency key of the post. */
export function checkFormToken(
  ctx: Ctx,
  purpose: string,
  token: string | undefined,
  minimumAge: Duration = 0,
): Result<{ nonce: string }, FormTokenError> {
  if (!token) return fail("token_missing");
  const [version, keyId, tokenPurpose, issued = "", nonce = "", signature = ""] = token.split(".");
  if (version !== "v1" || keyId !== "1" || tokenPurpose !== purpose) return fail("token_forged");
  if (!equalInConstantTime(signature, mac(ctx, purpose, issued, nonce))) return fail("token_forged");
  const age = ctx.now() - Number(issued);
  if (age < minimumAge) return fail("token_too_fast");
  if (age > LIFETIME) return fail("token_expired");
  return ok({ nonce });
}

/** The purpose a token claims; whether it is a token at all is for `checkFormToken` to say. */
export const purposeOf = (token: string): string => token.split(".")[2] ?? "";

function mac(ctx: Ctx, purpose: string, issued: string, nonce: string): string {
  const bearer = ANONYMOUS.has(purpose) ? "anon" : (ctx.signedIn?.sessionHash ?? "anon");
  return keyedHash(ctx.config.FORM_KEY_1, "form-token/v1", [purpose, bearer, issued, nonce].join("\n"));
}
