import * as z from "zod";
import type { NewAccount } from "~/features/auth/forms.server";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { setSignUpCookie, signUpCookieOf } from "~/platform/cookies.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";

const Draft = z.object({ email: z.string(), fullName: z.string(), organizationName: z.string() });
type Draft = z.output<typeof Draft>;

const ENCRYPTION_CONTEXT = "sign-up-draft";

/**
 * Keeps what was typed at a sign-up, without the password, in the browser it was typed in. The server keeps none of it
 * for the account: until the address is confirmed, nobody knows whether its owner has typed it.
 */
export function keepDraft(
  ctx: Pick<Ctx, "config" | "setCookie">,
  { email, fullName, organizationName }: NewAccount,
): void {
  const draft: Draft = { email, fullName, organizationName };
  setSignUpCookie(ctx, encryptValue(ctx.config, ENCRYPTION_CONTEXT, JSON.stringify(draft)), hours(24));
}

/** Returns what was typed in this browser when it signed up with the address; null in every other browser. */
export function findDraft(ctx: Pick<Ctx, "config" | "request">, email: string): Draft | null {
  const encrypted = signUpCookieOf(ctx);
  if (!encrypted) return null;
  try {
    const draft = Draft.parse(JSON.parse(decryptValue(ctx.config, ENCRYPTION_CONTEXT, encrypted)));
    return draft.email === email ? draft : null;
  } catch {
    // The cookie is damaged, or of another key.
    return null;
  }
}
