import * as z from "zod";
import type { NewAccount } from "~/features/auth/forms.server";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { setSignUpCookie, signUpCookieOf } from "~/platform/cookies.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";

const Draft = z.object({
  email: z.string(),
  fullName: z.string(),
  organizationName: z.string(),
  passwordHash: z.string(),
});
/** Holds what was typed at a sign-up; of the password only the hash. */
export type SignUpDraft = z.output<typeof Draft>;

/** A browser may keep its cookie for longer than it was told. */
const KeptDraft = Draft.extend({ expiresAt: z.number() });
const LIFETIME = hours(24);

const ENCRYPTION_CONTEXT = "sign-up-draft";

/**
 * Keeps what was typed at a sign-up in the browser it was typed in, encrypted. The server keeps none of it for the
 * account: until the address is confirmed, nobody knows whether its owner has typed it. So the password counts only
 * where both come together, this browser and the link of the mail: a stranger has the one and not the other.
 */
export function keepDraft(
  ctx: Pick<Ctx, "config" | "now" | "setCookie">,
  { email, fullName, organizationName }: NewAccount,
  passwordHash: string,
): void {
  const draft: SignUpDraft = { email, fullName, organizationName, passwordHash };
  const kept = JSON.stringify({ ...draft, expiresAt: ctx.now() + LIFETIME } satisfies z.output<typeof KeptDraft>);
  setSignUpCookie(ctx, encryptValue(ctx.config, ENCRYPTION_CONTEXT, kept), LIFETIME);
}

/** Returns what was typed in this browser when it signed up with the address; null in every other browser. */
export function findDraft(ctx: Pick<Ctx, "config" | "now" | "request">, email: string): SignUpDraft | null {
  const encrypted = signUpCookieOf(ctx);
  if (!encrypted) return null;
  try {
    const { expiresAt, ...draft } = KeptDraft.parse(
      JSON.parse(decryptValue(ctx.config, ENCRYPTION_CONTEXT, encrypted)),
    );
    return draft.email === email && expiresAt > ctx.now() ? draft : null;
  } catch {
    // The cookie is damaged, or of another key.
    return null;
  }
}
