import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { authChallenges } from "~/db/schema/sessions";
import type { Ctx } from "~/platform/context.server";
import { giveBackLimit } from "~/platform/rate-limit.server";

export type ReservedAttempt = { userId: string; attemptsLeft: number };

/**
 * Counts one attempt. Returns null when the challenge is consumed, expired, unknown or no longer matches the account.
 */
export async function reserveAttempt(
  ctx: Pick<Ctx, "db" | "now">,
  challengeHash: string,
  kind: "verify" | "setup",
): Promise<ReservedAttempt | null> {
  const [row] = await ctx.db
    .update(authChallenges)
    .set({ attempts: sql`${authChallenges.attempts} + 1` })
    .where(
      and(
        eq(authChallenges.id_hash, challengeHash),
        eq(authChallenges.kind, kind),
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

/** Gives back a reserved attempt when no code was checked; with a user id, also the attempt in their hourly limit. */
export function giveBackAttempt(ctx: Pick<Ctx, "db">, challengeHash: string, userId?: string): Promise<boolean> {
  return commit(ctx.db, [
    ctx.db
      .update(authChallenges)
      .set({ attempts: sql`max(0, ${authChallenges.attempts} - 1)` })
      .where(eq(authChallenges.id_hash, challengeHash)),
    ...(userId ? [giveBackLimit(ctx.db, "mfa", userId)] : []),
  ]);
}

/** Returns the statements that consume the challenge, for the batch of the sign-in it completes. */
export const consumeChallenge = (ctx: Pick<Ctx, "db" | "now">, challengeHash: string, epoch: number): Statement[] => [
  ctx.db
    .update(authChallenges)
    .set({ consumed_at: ctx.now() })
    .where(
      and(
        eq(authChallenges.id_hash, challengeHash),
        eq(authChallenges.epoch, epoch),
        isNull(authChallenges.consumed_at),
        gt(authChallenges.expires_at, ctx.now()),
      ),
    ),
  expectChange(ctx.db),
];
