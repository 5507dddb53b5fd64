import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Sets the minimum time of responses that depend on an account, so that their timing says nothing about it. */
const MINIMUM_TIME: Duration = 400;
const JITTER: Duration = 86;

export type Wait = (length: Duration) => Promise<void>;

const runtimeWait: Wait = (length) => scheduler.wait(length);

/**
 * Waits until the minimum time has passed, plus up to 85 random ms, so that small differences are harder to measure.
 * The platform's clock does not move during a hash, and timers count from what it shows: both together are right.
 */
export const minimumResponseTime = (
  ctx: Pick<Ctx, "now" | "newToken">,
  startedAt: Instant,
  wait: Wait = runtimeWait,
): Promise<void> => wait(Math.max(0, startedAt + MINIMUM_TIME - ctx.now()) + jitter(ctx));

const jitter = (ctx: Pick<Ctx, "newToken">): Duration => (Buffer.from(ctx.newToken(), "base64url")[0] ?? 0) % JITTER;
