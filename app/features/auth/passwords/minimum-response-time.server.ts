import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** No answer that depends on an account comes faster than this, so that its time says nothing about the account. */
const MINIMUM_TIME: Duration = 400;
const JITTER: Duration = 86;

export type Wait = (length: Duration) => Promise<void>;

const runtimeWait: Wait = (length) => scheduler.wait(length);

/** Waits until the least time has passed, and up to 85 ms of chance more: averages over many tries say nothing either. */
export const minimumResponseTime = (ctx: Ctx, startedAt: Instant, wait: Wait = runtimeWait): Promise<void> =>
  wait(Math.max(0, startedAt + MINIMUM_TIME - ctx.now()) + jitter(ctx));

const jitter = (ctx: Ctx): Duration => (Buffer.from(ctx.newToken(), "base64url")[0] ?? 0) % JITTER;
