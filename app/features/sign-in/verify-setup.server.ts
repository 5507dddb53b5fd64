import { consumeChallenge, giveBackAttempt, reserveAttempt } from "~/features/auth/factors/challenge-attempts.server";
import { completeEnrollment } from "~/features/auth/factors/enroll-totp.server";
import { consumeLink, findLink } from "~/features/auth/mail-links.server";
import { destinationOf, type EnrollmentError } from "~/features/auth/model";
import { findChallengePerson } from "~/features/auth/queries.server";
import { effectiveBrand } from "~/features/settings/effective-brand.server";
import { invariant } from "~/lib/assert";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteChallengeCookie, deleteLinkCookie } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { takeLimit } from "~/platform/rate-limit.server";

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
    return await complete(ctx, challengeHash, code);
  } catch (error) {
    await giveBackAttempt(ctx, challengeHash, reserved.userId).catch(() => undefined);
    throw error;
  }
}

async function complete(ctx: Ctx, challengeHash: string, code: string): Promise<SetupStep> {
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
