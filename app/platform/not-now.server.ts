import { type Instant, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

/**
 * Thrown by a command that may work in a moment, from wherever it turns out: nothing was written. `submitForm` shows
 * the form again with the message and all that was typed, as 503, or as 429 where it was one too many.
 */
export class NotNow extends Error {
  constructor(
    readonly outcome: "unavailable" | "rate_limited",
    readonly retryAt: Instant,
    message: string,
  ) {
    super(message);
  }
}

const BUSY = "Too many people are changing this at the same moment, so nothing was saved. Please send it again.";

/** Limits how often, and how long, a command starts again because others are faster. */
const MAX_TRIES = 24;
const GIVES_UP_AFTER = seconds(1);
const LONGEST_PAUSE = 250;

/**
 * Runs `attempt` again while it returns undefined, because somebody else has changed since its read what it is about.
 * The pauses grow, and are random, so that those who lost together do not meet again. Throws `NotNow` after about a
 * second, though not before a second try: what was slow may just be this form, posted twice. Also after some tries,
 * because the clock of a worker stands still while nothing is received.
 */
export async function untilWritten<Outcome>(
  { now }: Pick<Ctx, "now">,
  attempt: (isFirst: boolean) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const startedAt = now();
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(tries === 1);
    if (outcome !== undefined) return outcome;
    if (tries === MAX_TRIES || (tries > 1 && now() - startedAt >= GIVES_UP_AFTER))
      throw new NotNow("unavailable", now() + seconds(2), BUSY);
    const share = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255;
    await scheduler.wait(share * Math.min(LONGEST_PAUSE, 20 * 2 ** tries));
  }
}
