import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import { startChallenge } from "~/features/auth/factors/start-challenge.server";
import type { Credentials } from "~/features/auth/forms.server";
import { findLink } from "~/features/auth/mail-links.server";
import { destinationOf, nextFactor, type SignInStep, stepDone, stepFailed } from "~/features/auth/model";
import { type PasswordHolder, verifyPassword } from "~/features/auth/passwords/verify-password.server";
import { findAccount } from "~/features/auth/queries.server";
import { startSession } from "~/features/auth/sessions/start-session.server";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { assertNever } from "~/lib/assert";
import type { Ctx } from "~/platform/context.server";

const STRATEGY = "password";

/** Gives the library the credentials of an already validated form, so that nothing is parsed twice. */
class PasswordStrategy extends Strategy<SignInStep, Credentials> {
  name = STRATEGY;
  private readonly credentials: Credentials;

  constructor(credentials: Credentials, verify: Strategy.VerifyFunction<SignInStep, Credentials>) {
    super(verify);
    this.credentials = credentials;
  }

  authenticate(): Promise<SignInStep> {
    return this.verify(this.credentials);
  }
}

type PasswordStep = { credentials: Credentials; redirectTo: string | null };

/**
 * Performs the first step of a sign-in. The authenticator is built per request because its check needs the context of
 * the request. The library manages no sessions; the result is a step of the sign-in, not yet a signed-in person.
 */
export function signInWithPassword(ctx: Ctx, { credentials, redirectTo }: PasswordStep): Promise<SignInStep> {
  const strategy = new PasswordStrategy(credentials, async (typed) => {
    const proven = await verifyPassword(ctx, typed);
    return proven.ok ? continueWith(ctx, proven.value, { redirectTo }) : proven;
  });
  // The library passes a request to the strategy, which does not use it.
  return new Authenticator<SignInStep>().use(strategy).authenticate(STRATEGY, new Request(ctx.request.url));
}

type Chosen = {
  userId: string;
  /** Holds the epoch of the account since the choice. */
  epoch: number;
  /** Tells whether a link has proved the address in this browser, and the account is new. */
  isFirst?: boolean;
  redirectTo: string | null;
};

/**
 * Continues the sign-in of somebody who has just chosen the password of an account. What their role or organization
 * requires comes first, as at every sign-in.
 */
export async function continueSignIn(ctx: Ctx, { userId, epoch, isFirst, redirectTo }: Chosen): Promise<SignInStep> {
  const account = await findAccount(ctx.db, userId);
  if (account?.epoch !== epoch || account.status !== "active") return stepFailed({ code: "credentials_wrong" });
  return continueWith(ctx, account, { redirectTo, isFirst });
}

type Continuation = Pick<Chosen, "redirectTo" | "isFirst">;

/**
 * Continues after the right password. People who need no second factor get a session here, and those who must choose
 * another password before they set one up: until they have, their session opens nothing else.
 */
async function continueWith(
  ctx: Ctx,
  person: PasswordHolder,
  { redirectTo, isFirst = false }: Continuation,
): Promise<SignInStep> {
  const factor = nextFactor(person, ctx.now());
  switch (factor) {
    case "verify":
      await startChallenge(ctx, person, { kind: "verify", redirectTo });
      return stepDone({ at: "challenge", email: person.email });
    case "setup":
      if (person.setupNeedsLink && (await findLink(ctx, "mfa_setup"))?.userId !== person.userId) {
        return stepFailed({ code: "setup_link_needed" });
      }
      if (person.mustChangePassword) return enter();
      await startChallenge(ctx, person, { kind: "setup", redirectTo });
      return stepDone({ at: "setup_required", email: person.email });
    case "none":
      return enter();
    default:
      return assertNever(factor);
  }

  async function enter(): Promise<SignInStep> {
    // The account changed while its password was being checked, so the check is no longer valid.
    if (!(await startSession(ctx, person, { isFirst }))) return stepFailed({ code: "credentials_wrong" });
    const destination = destinationOf(person, redirectTo, (await effectiveBrand(ctx)).domain);
    return stepDone({ at: "signed_in", destination });
  }
}
