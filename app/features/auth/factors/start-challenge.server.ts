import { commit } from "~/db/client.server";
import { authChallenges } from "~/db/schema/sessions";
import type { Ctx } from "~/platform/context.server";
import { CHALLENGE_LIFETIME, setChallengeCookie } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { CHALLENGE_ATTEMPTS, type ProvenPerson } from "../model";
import { beginEnrollment } from "./enroll-totp.server";

type ChallengeOptions = {
  /** Says what the person has to do: `setup` if they must have a second factor and have none yet. */
  kind: "verify" | "setup";
  /** Holds an already validated path. */
  redirectTo: string | null;
};

/**
 * Stores that the password was right. The browser gets only the id of the challenge: there is no session until the
 * second factor has been proved. Where one must be set up first, its secret is made in the same batch.
 */
export async function startChallenge(
  ctx: Ctx,
  person: ProvenPerson,
  { kind, redirectTo }: ChallengeOptions,
): Promise<void> {
  const now = ctx.now();
  const challengeId = ctx.newToken();
  const challenge = ctx.db.insert(authChallenges).values({
    id_hash: hashToken(challengeId),
    user_id: person.userId,
    kind,
    max_attempts: CHALLENGE_ATTEMPTS,
    epoch: person.epoch,
    redirect_to: redirectTo,
    created_at: now,
    expires_at: now + CHALLENGE_LIFETIME,
  });
  await commit(ctx.db, [challenge, ...(kind === "setup" ? [beginEnrollment(ctx, person.userId)] : [])]);
  setChallengeCookie(ctx, challengeId);
}
