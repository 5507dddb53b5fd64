import { fail, ok, type Result } from "~/lib/errors";
import { type Duration, hours, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";
import { equalInConstantTime, keyedHash } from "./crypto.server";

export const MINIMUM_FILL_TIME: Duration = seconds(2);
const LIFETIME: Duration = hours(24);

/** Lists the forms whose tokens need no session, because a session may start or end while somebody fills them in. */
const ANONYMOUS: ReadonlySet<string> = new Set(["contact", "sign-in", "solved"]);

export const isAnonymousPurpose = (purpose: string): boolean => ANONYMOUS.has(purpose);

type BoundSession = { sessionHash: string };

export type FormTokenError = "token_missing" | "token_forged" | "token_too_fast" | "token_expired";

/**
 * `v1.1.<purpose>.<issued, ms>.<nonce>.<mac>`, bound to the session, if there is one. Prevents CSRF; its nonce is the
 * idempotency key of the post, its age shows bots. Valid after Back until the action succeeds.
 */
export function issueFormToken(
  ctx: Pick<Ctx, "config" | "now" | "newToken" | "signedIn"> & Partial<Pick<Ctx, "form">>,
  purpose: string,
): string {
  const sent = ctx.form?.token;
  if (sent && purposeOf(sent) === purpose) return sent;
  const issued = String(ctx.now());
  const nonce = ctx.newToken().slice(0, 22);
  return `v1.1.${purpose}.${issued}.${nonce}.${mac(ctx, { purpose, boundSession: ctx.signedIn, issued, nonce })}`;
}

export function checkFormToken(
  ctx: Pick<Ctx, "config" | "now" | "signedIn">,
  purpose: string,
  token: string | undefined,
  { boundSession = ctx.signedIn, minimumAge = 0 }: { boundSession?: BoundSession | null; minimumAge?: Duration } = {},
): Result<{ nonce: string }, FormTokenError> {
  if (!token) return fail("token_missing");
  const [version, keyId, tokenPurpose, issued = "", nonce = "", signature = ""] = token.split(".");
  if (version !== "v1" || keyId !== "1" || tokenPurpose !== purpose) return fail("token_forged");
  if (!equalInConstantTime(signature, mac(ctx, { purpose, boundSession, issued, nonce }))) return fail("token_forged");
  const age = ctx.now() - Number(issued);
  if (age < minimumAge) return fail("token_too_fast");
  if (age > LIFETIME) return fail("token_expired");
  return ok({ nonce });
}

export const purposeOf = (token: string): string => token.split(".")[2] ?? "";

type SignedParts = { purpose: string; boundSession: BoundSession | null; issued: string; nonce: string };

function mac(ctx: Pick<Ctx, "config">, { purpose, boundSession, issued, nonce }: SignedParts): string {
  const boundTo = isAnonymousPurpose(purpose) || !boundSession ? "anon" : boundSession.sessionHash;
  return keyedHash(ctx.config.FORM_KEY_1, "form-token/v1", [purpose, boundTo, issued, nonce].join("\n"));
}
