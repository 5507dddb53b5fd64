import { commit, type Statement } from "~/db/client.server";
import { recordFailedSignIn } from "~/features/audit/failed-sign-ins.server";
import type { MfaFailure } from "~/features/audit/model";
import { toAuditActor } from "~/features/audit/model";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import {
  consumeChallenge,
  giveBackAttempt,
  type ReservedAttempt,
  reserveAttempt,
} from "~/features/auth/factors/challenge-attempts.server";
import { verifyFactor } from "~/features/auth/factors/verify-factor.server";
import {
  CHALLENGE_ATTEMPTS,
  destinationOf,
  type FactorMethod,
  type ProvenPerson,
  type SignInStep,
  stepDone,
  stepFailed,
  type TypedCode,
} from "~/features/auth/model";
import { findChallengePerson } from "~/features/auth/queries.server";
import { prepareSession } from "~/features/auth/sessions/start-session.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { userSubject } from "~/features/users/subject";
import { invariant } from "~/lib/assert";
import type { Ctx } from "~/platform/context.server";
import { deleteChallengeCookie } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { clearLimit, takeLimit } from "~/platform/rate-limit.server";

type CodeStep = TypedCode & {
  /** Holds the value of the challenge cookie. */
  challengeId: string;
};

/** Sets the number of wrong codes in one challenge after which its owner is told that somebody knows the password. */
const SUSPICIOUS_ATTEMPTS = 3;

/**
 * Checks the second factor and completes the sign-in. The attempt is counted before the code is checked. Success is one
 * batch (code consumed, challenge consumed, session inserted, audit entry): of several parallel requests with one code
 * only one is committed, and the others write nothing.
 *
 * Throws on unexpected errors; the attempt is then given back and there is no session.
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
  const signedIn = await complete(ctx, { person, challengeHash, method: typed.method, proof: proof.statements });
  if (!signedIn) return fail("replayed_code");
  const destination = destinationOf(person, challenge.redirectTo, (await effectiveBrand(ctx)).domain);
  return stepDone({ at: "signed_in", destination, codesLeft: proof.codesLeft });
}

type Completion = { person: ProvenPerson; challengeHash: string; method: FactorMethod; proof: Statement[] };

/**
 * Completes the sign-in. Returns false when this code or a newer one was used before, the challenge is consumed or the
 * account has changed.
 */
async function complete(ctx: Ctx, { person, challengeHash, method, proof }: Completion): Promise<boolean> {
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
