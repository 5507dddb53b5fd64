import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { brand } from "~/content/brand";
import { startChallenge } from "~/features/auth/factors/start-challenge.server";
import { SignInForm } from "~/features/auth/forms.server";
import { findLink } from "~/features/auth/mail-links.server";
import { destinationOf, nextFactor, reached, refused, type SignInStep } from "~/features/auth/model";
import { type PasswordHolder, verifyPassword } from "~/features/auth/passwords/verify-password.server";
import { startSession } from "~/features/auth/sessions/start-session.server";
import { assertNever } from "~/lib/assert";
import { parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";

export const PASSWORD_STRATEGY = "password";

/**
 * The password door, built for one request because its check needs the request's world. The library reads the form and
 * calls us; sessions are ours alone, and what comes back is a step of the sign-in, not yet a signed-in person.
 */
export function authenticatorFor(ctx: Ctx, redirectTo: string | null): Authenticator<SignInStep> {
  const strategy = new FormStrategy<SignInStep>(async ({ form }) => {
    const typed = { email: String(form.get("email") ?? ""), password: String(form.get("password") ?? "") };
    const credentials = parseForm(SignInForm, typed, ["password"]);
    if (!credentials.ok) return refused({ code: "credentials_missing" });
    const proven = await verifyPassword(ctx, credentials.value);
    return proven.ok ? continueWith(ctx, proven.value, redirectTo) : proven;
  });
  return new Authenticator<SignInStep>().use(strategy, PASSWORD_STRATEGY);
}

/** What the right password opens: a session only for those of whom nothing more is asked. */
async function continueWith(ctx: Ctx, person: PasswordHolder, redirectTo: string | null): Promise<SignInStep> {
  const factor = nextFactor(person, ctx.now());
  switch (factor) {
    case "verify":
      await startChallenge(ctx, person, { kind: "verify", redirectTo });
      return reached({ at: "challenge", email: person.email });
    case "setup":
      if (person.setupNeedsLink && (await findLink(ctx, "mfa_setup"))?.userId !== person.userId) {
        return refused({ code: "setup_link_needed" });
      }
      await startChallenge(ctx, person, { kind: "setup", redirectTo });
      return reached({ at: "setup_required", email: person.email });
    case "none":
      // The account changed while its password was being checked: to this sign-in it is another account.
      if (!(await startSession(ctx, person))) return refused({ code: "credentials_wrong" });
      return reached({ at: "signed_in", destination: destinationOf(person, redirectTo, brand.domain) });
    default:
      return assertNever(factor);
  }
}
