import { type Duration, dayIn, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/**
 * Sets how long requests are collected before they are written together: answering one costs far less than a write.
 * Nobody waits for it, and what an isolate loses when it is ended, or when the write fails, is the count of this time.
 */
const COLLECTED_FOR: Duration = seconds(5);
/** Limits how long a request that has promised to write is waited for: the runtime may have ended it. */
const PROMISE_LIFETIME: Duration = seconds(15);
/** Limits the paths that are collected by themselves: the memory that robots can fill, and the rows of a write. */
const PATHS_COLLECTED = 1_000;

/** Returns the day in UTC: counting must not need to read the settings. */
export const dayOf = (at: Instant): string => dayIn("UTC", at);

/**
 * Returns a function that counts requests by path and day in the memory of the isolate. `write` gets what has come
 * together as one JSON object, with a number for each `<day> <path>`; paths over the limit share the empty path.
 *
 * The clock is only asked from one request to the next, since it stands still within one.
 */
export function collectRequests<Context extends Pick<Ctx, "now">>(
  write: (ctx: Context, collected: string) => Promise<void>,
): (ctx: Context, path: string) => Promise<void> {
  const collected = new Map<string, number>();
  let promisedUntil: Instant = 0;

  return async function count(ctx, path) {
    const now = ctx.now();
    const ofPath = `${dayOf(now)} ${path}`;
    const key = collected.has(ofPath) || collected.size < PATHS_COLLECTED ? ofPath : `${dayOf(now)} `;
    collected.set(key, (collected.get(key) ?? 0) + 1);
    if (now < promisedUntil) return;
    promisedUntil = now + PROMISE_LIFETIME;
    await scheduler.wait(COLLECTED_FOR);
    promisedUntil = 0;
    const asJson = JSON.stringify(Object.fromEntries(collected));
    collected.clear();
    await write(ctx, asJson);
  };
}
