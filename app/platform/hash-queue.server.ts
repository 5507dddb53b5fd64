import type { Duration } from "~/lib/time";

/** The response is 503 with `Retry-After: 2`. */
export class HashQueueFullError extends Error {
  override name = "HashQueueFullError";
}

/** By name: the worker and the routes are two bundles, each with a class of its own, so `instanceof` would not do. */
export const isHashQueueFull = (error: unknown): boolean =>
  error instanceof Error && error.name === "HashQueueFullError";

/** The platform's clock stands still while code runs, so waiting is counted in polls: timers of ten milliseconds. */
const POLL_INTERVAL: Duration = 10;

/** Tests without other requests make no pause, and some have no room in the queue. */
export const HASH_QUEUE = {
  /** So many hashes of 0.1 seconds take two seconds, with their pauses. */
  places: 16,
  patience: 30,
  /** Sets how many polls go by between two hashes: a page takes several steps, and each would wait for a hash. */
  pause: 2,
};

const CANCELLED_AFTER = 25;

type Entry = { polledIn: number; pollsAsFirst: number };

/**
 * When a browser disconnects, the runtime cancels the timers and promises of its request: who waited for them would
 * wait for ever, and all behind. So each request polls by itself, and removes cancelled ones.
 */
let queue: Entry[] = [];
/** Nobody can poll during a hash. */
let round = 0;

/** The runtime executes scrypt synchronously; the pause lets other requests of the isolate in between two hashes. */
export async function runInHashQueue<Value>(hash: () => Value): Promise<Value> {
  const entry: Entry = { polledIn: -1, pollsAsFirst: 0 };
  try {
    for (let polls = 1; !isTurnOf(entry); polls += 1) {
      if (polls > HASH_QUEUE.patience && queue.indexOf(entry) >= HASH_QUEUE.places) {
        throw new HashQueueFullError("No place for hashing became free");
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    }
    return hash();
  } finally {
    queue = queue.filter((other) => other !== entry);
  }
}

function isTurnOf(entry: Entry): boolean {
  if (entry.polledIn === round) round += 1;
  entry.polledIn = round;
  queue = queue.filter(({ polledIn }) => round - polledIn <= CANCELLED_AFTER);
  if (!queue.includes(entry)) queue.push(entry);
  if (queue[0] !== entry) return false;
  entry.pollsAsFirst += 1;
  return entry.pollsAsFirst > HASH_QUEUE.pause;
}
