import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { brand } from "~/content/brand";
import { commit, expectChange } from "~/db/client.server";
import { userMfaSettings } from "~/db/schema/mfa";
import { authChallenges } from "~/db/schema/sessions";
import type { MfaFailure } from "~/features/audit/model";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { invariant } from "~/lib/assert";
import type { Ctx } from "~/platform/context.server";
import { hashToken, open } from "~/platform/crypto.server";
import { clearLimit, giveBackLimit, takeLimit } from "~/platform/rate-limit.server";
import { dropChallengeCookie } from "~/platform/session-store.server";
import { destinationOf, type ProvenPerson, reached, refused, type SignInStep, totpSealContext } from "./model";
import { findFactorHolder } from "./queries.server";
import { prepareSession } from "./start-session.server";
import { matchingStep } from "./totp";

type CodeStep = {
  /** What the challenge cookie holds. */
  challengeId: string;
  /** Without spaces. */
  code: string;
};

type Reserved = { userId: string; attemptsLeft: number };

/**
 * Proves the second factor and completes the sign-in. The attempt is spent before the code is looked at. Success is
 * one batch (step moved on, challenge consumed, session inserted, recorded): of any number of parallel posts of one
 * code a single one is written, and the others leave nothing behind.
 *
 * Throws when anything fails that the check depends on; the attempt is given back and there is no session.
 */
export async function verifyCode(ctx: Ctx, { challengeId, code }: CodeStep): Promise<SignInStep> {
  if (code === "") return refused({ code: "code_missing" });
  const challengeHash = hashToken(challengeId);
  const reserved = await reserveAttempt(ctx, challengeHash);
  if (!reserved) {
    dropChallengeCookie(ctx);
    return refused({ code: "challenge_over" });
  }
  let countedFor: string | undefined;
  try {
    const limit = await takeLimit(ctx.db, "mfa", reserved.userId, ctx.now());
    if (limit.allowed) {
      countedFor = reserved.userId;
      return await check(ctx, { challengeHash, code, ...reserved });
    }
    await giveBackAttempt(ctx, challengeHash);
    return refused({ code: "too_many_attempts", retryAt: limit.retryAt });
  } catch (error) {
    // Best effort: the first failure is the one worth reporting.
    await giveBackAttempt(ctx, challengeHash, countedFor).catch(() => undefined);
    throw error;
  }
}

type Check = Reserved & { challengeHash: string; code: string };

async function check(ctx: Ctx, { challengeHash, code, userId, attemptsLeft }: Check): Promise<SignInStep> {
  const deny = async (failure: MfaFailure): Promise<SignInStep> => {
    await commit(ctx.db, [recordMfaEvent(ctx, { userId, action: "verify_challenge", method: "totp", failure })]);
    if (attemptsLeft === 0) dropChallengeCookie(ctx);
    return refused(failure === "malformed" ? { code: "code_malformed" } : { code: "code_wrong", attemptsLeft });
  };
  if (!/^[0-9]{6}$/.test(code)) return deny("malformed");

  const holder = await findFactorHolder(ctx.db, challengeHash);
  invariant(holder?.sealedSecret, "A challenge stands without a factor to check it against");
  const secret = open(ctx.config.DATA_KEK_1, totpSealContext(userId), holder.sealedSecret);
  const step = matchingStep(secret, code, ctx.now());
  if (step === null) return deny("wrong_code");
  if (!(await complete(ctx, { person: holder.person, challengeHash, step }))) return deny("replayed_code");
  return reached({ at: "signed_in", destination: destinationOf(holder.person, holder.redirectTo, brand.domain) });
}

type Completion = { person: ProvenPerson; challengeHash: string; step: number };

/** True: signed in. False: the code, or one newer, was used before, the challenge is spent, or the account changed. */
async function complete(ctx: Ctx, { person, challengeHash, step }: Completion): Promise<boolean> {
  const { userId } = person;
  const now = ctx.now();
  const session = prepareSession(ctx, person, 2);
  const written = await commit(ctx.db, [
    ctx.db
      .update(userMfaSettings)
      .set({ last_totp_step: step })
      .where(
        and(
          eq(userMfaSettings.user_id, userId),
          eq(userMfaSettings.is_enabled, 1),
          lt(userMfaSettings.last_totp_step, step),
        ),
      ),
    expectChange(ctx.db),
    ctx.db
      .update(authChallenges)
      .set({ consumed_at: now })
      .where(
        and(
          eq(authChallenges.id_hash, challengeHash),
          eq(authChallenges.epoch, person.epoch),
          isNull(authChallenges.consumed_at),
          gt(authChallenges.expires_at, now),
        ),
      ),
    expectChange(ctx.db),
    ...session.statements,
    recordMfaEvent(ctx, { userId, action: "verify_challenge", method: "totp" }),
    clearLimit(ctx.db, "mfa", userId),
  ]);
  if (written) session.arrive();
  return written;
}

/** Spends one attempt, or finds the challenge used up, expired, unknown, or older than a change of the account. */
async function reserveAttempt(ctx: Ctx, challengeHash: string): Promise<Reserved | null> {
  const [row] = await ctx.db
    .update(authChallenges)
    .set({ attempts: sql`${authChallenges.attempts} + 1` })
    .where(
      and(
        eq(authChallenges.id_hash, challengeHash),
        eq(authChallenges.kind, "verify"),
        lt(authChallenges.attempts, authChallenges.max_attempts),
        isNull(authChallenges.consumed_at),
        gt(authChallenges.expires_at, ctx.now()),
        sql`${authChallenges.epoch} = (select auth_epoch from users where id = ${authChallenges.user_id} and status = 'active')`,
      ),
    )
    .returning({
      userId: authChallenges.user_id,
      attempts: authChallenges.attempts,
      maximum: authChallenges.max_attempts,
    });
  return row ? { userId: row.userId, attemptsLeft: row.maximum - row.attempts } : null;
}

/** Gives back what was reserved when no code was evaluated. With a user id, their hourly limit too. */
function giveBackAttempt(ctx: Ctx, challengeHash: string, userId?: string): Promise<boolean> {
  return commit(ctx.db, [
    ctx.db
      .update(authChallenges)
      .set({ attempts: sql`max(0, ${authChallenges.attempts} - 1)` })
      .where(eq(authChallenges.id_hash, challengeHash)),
    ...(userId ? [giveBackLimit(ctx.db, "mfa", userId)] : []),
  ]);
}
