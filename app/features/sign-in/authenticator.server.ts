import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import { commit, type Statement } from "~/db/client.server";
import { recordFailedSignIn } from "~/features/audit/failed-sign-ins.server";
import { type MfaFailure, toAuditActor } from "~/features/audit/model";
import { recordMfaEvent } from "~/features/audit/record-audit.server";
import { completeEnrollment, startChallenge } from "~/features/auth/factor-commands.server";
import {
  consumeChallenge,
  giveBackAttempt,
  type ReservedAttempt,
  reserveAttempt,
  verifyFactor,
} from "~/features/auth/factors.server";
import type { Credentials } from "~/features/auth/forms.server";
import { consumeLink, findLink } from "~/features/auth/mail-links.server";
import {
  CHALLENGE_ATTEMPTS,
  destinationOf,
  type EnrollmentError,
  type FactorMethod,
  nextFactor,
  type ProvenPerson,
  type SignInStep,
  stepDone,
  stepFailed,
  type TypedCode,
} from "~/features/auth/model";
import { type PasswordHolder, verifyPassword } from "~/features/auth/passwords.server";
import { findAccount, findChallengePerson } from "~/features/auth/queries.server";
import { prepareSession, startSession } from "~/features/auth/sessions.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { userSubject } from "~/features/users/model";
import { assertNever, invariant } from "~/lib/errors";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteChallengeCookie, deleteLinkCookie } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { clearLimit, takeLimit } from "~/platform/rate-limits.server";

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

/** Built per request, because its check needs the context of the request. The library manages no sessions. */
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
  epoch: number;
  isFirst?: boolean;
  redirectTo: string | null;
};

/** What their role or organization requires comes first, as at every sign-in. */
export async function continueSignIn(ctx: Ctx, { userId, epoch, isFirst, redirectTo }: Chosen): Promise<SignInStep> {
  const account = await findAccount(ctx.db, userId);
  if (account?.epoch !== epoch || account.status !== "active") return stepFailed({ code: "credentials_wrong" });
  return continueWith(ctx, account, { redirectTo, isFirst });
}

/** Who must first choose another password gets a session too, which opens nothing else. */
async function continueWith(
  ctx: Ctx,
  person: PasswordHolder,
  { redirectTo, isFirst = false }: Pick<Chosen, "redirectTo" | "isFirst">,
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

type CodeStep = TypedCode & {
  challengeId: string;
};

/** Sets the number of wrong codes in one challenge after which its owner is told that somebody knows the password. */
const SUSPICIOUS_ATTEMPTS = 3;

/**
 * The attempt is counted before the code is checked. Success is one batch: of parallel requests with one code only one
 * is committed. After unexpected errors the attempt is given back.
 */
export async function verifyCode(ctx: Ctx, { challengeId, method, code }: CodeStep): Promise<SignInStep> {
  if (code === "") return stepFailed({ code: "code_missing" });
  const challengeHash = hashToken(challengeId);
  const reserved = await reserveAttempt(ctx, challengeHash, "verify");
  if (!reserved) {
    deleteChallengeCookie(ctx);
    return stepFailed({ code: "challenge_invalid" });
  }
  let countedFor: string | undefined;
  try {
    const limit = await takeLimit(ctx.db, "mfa", reserved.userId, ctx.now());
    if (limit.allowed) {
      countedFor = reserved.userId;
      return await check(ctx, { challengeHash, method, code, ...reserved });
    }
    await giveBackAttempt(ctx, challengeHash);
    return stepFailed({ code: "too_many_attempts", retryAt: limit.retryAt });
  } catch (error) {
    // Best effort: the first failure is the one worth reporting.
    await giveBackAttempt(ctx, challengeHash, countedFor).catch(() => undefined);
    throw error;
  }
}

type Check = ReservedAttempt & TypedCode & { challengeHash: string };

async function check(ctx: Ctx, { challengeHash, userId, attemptsLeft, ...typed }: Check): Promise<SignInStep> {
  const challenge = await findChallengePerson(ctx.db, challengeHash);
  invariant(challenge, "The challenge belongs to no account");
  const { person, encryptedSecret } = challenge;
  if (!person.mfaEnabled || !encryptedSecret) {
    await giveBackAttempt(ctx, challengeHash, userId);
    // The page asks for the password again, in this answer already.
    await commit(ctx.db, consumeChallenge(ctx, challengeHash, person.epoch));
    deleteChallengeCookie(ctx);
    return stepFailed({ code: "factor_not_found" });
  }

  const fail = async (failure: MfaFailure): Promise<SignInStep> => {
    const isSuspicious = CHALLENGE_ATTEMPTS - attemptsLeft === SUSPICIOUS_ATTEMPTS;
    await commit(ctx.db, [
      ...recordMfaEvent(ctx, person, { action: "verify_challenge", method: typed.method, failure }),
      ...recordFailedSignIn(ctx, { account: toAuditActor(person), reason: failure }),
      ...(isSuspicious
        ? [enqueueMail(ctx, "codes-refused", { to: person.email, about: userSubject(person), data: {} })]
        : []),
    ]);
    ctx.after(ctx.live.notify("staff"));
    if (isSuspicious) ctx.after(deliverOutbox(ctx));
    if (attemptsLeft === 0) deleteChallengeCookie(ctx);
    return stepFailed(failure === "malformed" ? { code: "code_malformed" } : { code: "code_wrong", attemptsLeft });
  };

  const proof = await verifyFactor(ctx, { ...person, encryptedSecret }, typed);
  if (!proof.ok) return fail(proof.failure);
  const signedIn = await completeSignIn(ctx, { person, challengeHash, method: typed.method, proof: proof.statements });
  if (!signedIn) return fail("replayed_code");
  const destination = destinationOf(person, challenge.redirectTo, (await effectiveBrand(ctx)).domain);
  return stepDone({ at: "signed_in", destination, codesLeft: proof.codesLeft });
}

type Completion = { person: ProvenPerson; challengeHash: string; method: FactorMethod; proof: Statement[] };

/** False: this code or a newer one was used before, the challenge is consumed, or the account has changed. */
async function completeSignIn(ctx: Ctx, { person, challengeHash, method, proof }: Completion): Promise<boolean> {
  const { userId } = person;
  const session = prepareSession(ctx, person, { aal: 2 });
  const written = await commit(ctx.db, [
    ...proof,
    ...consumeChallenge(ctx, challengeHash, person.epoch),
    ...session.statements,
    ...recordMfaEvent(ctx, person, { action: "verify_challenge", method }),
    clearLimit(ctx.db, "mfa", userId),
  ]);
  if (!written) return false;
  session.onCommitted();
  if (method === "backup_code") ctx.after(deliverOutbox(ctx));
  return true;
}

type SetupStep =
  | { ok: true; destination: string }
  | { ok: false; error: { code: EnrollmentError } | { code: "too_many_attempts"; retryAt: Instant } };

/**
 * Accepts the first code of a new factor during a sign-in that requires one, and completes the sign-in: no second code
 * is needed. Attempts are counted as for every code.
 */
export async function verifySetup(ctx: Ctx, challengeId: string, code: string): Promise<SetupStep> {
  if (code === "") return { ok: false, error: { code: "enrollment_code_missing" } };
  const challengeHash = hashToken(challengeId);
  const reserved = await reserveAttempt(ctx, challengeHash, "setup");
  if (!reserved) {
    deleteChallengeCookie(ctx);
    return { ok: false, error: { code: "enrollment_invalid" } };
  }
  const limit = await takeLimit(ctx.db, "mfa", reserved.userId, ctx.now());
  if (!limit.allowed) {
    await giveBackAttempt(ctx, challengeHash);
    return { ok: false, error: { code: "too_many_attempts", retryAt: limit.retryAt } };
  }
  try {
    return await completeSetup(ctx, challengeHash, code);
  } catch (error) {
    await giveBackAttempt(ctx, challengeHash, reserved.userId).catch(() => undefined);
    throw error;
  }
}

async function completeSetup(ctx: Ctx, challengeHash: string, code: string): Promise<SetupStep> {
  const [challenge, link] = await Promise.all([findChallengePerson(ctx.db, challengeHash), findLink(ctx, "mfa_setup")]);
  invariant(challenge, "The challenge belongs to no account");
  const { person } = challenge;
  const usesLink = link?.userId === person.userId;
  const done = await completeEnrollment(ctx, {
    person,
    code,
    uses: [
      ...consumeChallenge(ctx, challengeHash, person.epoch),
      ...(usesLink ? consumeLink(ctx, "mfa_setup", link.tokenHash) : []),
    ],
  });
  if (!done.ok) return { ok: false, error: { code: done.code } };
  if (usesLink) deleteLinkCookie(ctx, "mfa_setup");
  return { ok: true, destination: destinationOf(person, challenge.redirectTo, (await effectiveBrand(ctx)).domain) };
}
