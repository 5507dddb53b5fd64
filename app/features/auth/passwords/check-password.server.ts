import { commit } from "~/db/client.server";
import { type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { isPassword } from "~/platform/crypto.server";
import { HashQueueFullError, runInHashQueue } from "~/platform/hash-queue.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limit.server";
import type { Account } from "../queries.server";
import { bucketFor } from "./verify-password.server";

type PasswordCheck =
  | { kind: "right" | "wrong" }
  | { kind: "blocked"; retryAt: Instant }
  | { kind: "busy"; retryAt: Instant };

/**
 * Checks the password of a person who is signed in. Counted like an attempt to sign in, before anything is hashed, so
 * that a stolen session cannot be used to guess the password.
 */
export async function checkPassword(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request">,
  account: Account,
  password: string,
): Promise<PasswordCheck> {
  const { type, identifier } = bucketFor(ctx, account.email, account);
  const limit = await takeLimit(ctx.db, type, identifier, ctx.now());
  if (!limit.allowed) return { kind: "blocked", retryAt: limit.retryAt };
  const giveBack = () => commit(ctx.db, [giveBackLimit(ctx.db, type, identifier)]);
  try {
    const isRight = await runInHashQueue(() =>
      isPassword(ctx.config.PASSWORD_PEPPER_1, password, account.passwordHash),
    );
    if (!isRight) return { kind: "wrong" };
  } catch (error) {
    await giveBack();
    if (!(error instanceof HashQueueFullError)) throw error;
    return { kind: "busy", retryAt: ctx.now() + seconds(2) };
  }
  await giveBack();
  return { kind: "right" };
}
