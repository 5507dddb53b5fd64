import type { Duration } from "~/lib/time";

/** Reports that too many hashes wait in this isolate. The response is 503 with `Retry-After: 2`. */
export class HashQueueFullError extends Error {
  override name = "HashQueueFullError";
}

/**
 * Tells whether an error reports a full queue. By name: the worker and the compiled routes are two bundles, each with
 * a class of its own, so `instanceof` would miss the other one's errors.
 */
export const isHashQueueFull = (error: unknown): boolean =>
  error instanceof Error && error.name === "HashQueueFullError";

/*
 * The platform's clock stands still while code runs, so no hash can be timed. Everything here is counted in polls,
 * which are timers and so at least ten milliseconds apart.
 */
const POLL_INTERVAL: Duration = 10;

/** Holds the limits of the queue. Tests without other requests make no pause, and some have no room in the queue. */
export const HASH_QUEUE = {
  /** Limits the requests that wait for long. So many hashes of 0.1 seconds take two seconds, with their pauses. */
  places: 16,
  /** Sets after how many polls without a place a request gives up; entries of cancelled requests are gone by then. */
  patience: 30,
  /** Sets how many polls go by between two hashes: a page takes several steps, and each would wait for a hash. */
  pause: 2,
};

/** Sets after how many rounds without a poll a waiting request counts as cancelled. */
const CANCELLED_AFTER = 25;

type Entry = { polledIn: number; pollsAsFirst: number };

/**
 * Holds the waiting requests, first come, first served. When a browser disconnects, the runtime cancels the timers and
 * promises of its request. A request that waited for the promise of another one could then wait for ever, and so would
 * all behind it. So each request polls this list by itself, and entries of cancelled requests are removed.
 */
let queue: Entry[] = [];
/** Counts rounds: one is over when some request polls for the second time in it. Nobody can poll during a hash. */
let round = 0;

/**
 * Runs one slow hash, of at most the cost of a password. The runtime executes scrypt synchronously, so hashes run one
 * after another with a pause between them: every other request of the isolate waits for little more than one hash.
 * Throws `HashQueueFullError`.
 */
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

/** Keeps the entry in the queue and tells whether it has been the first one for long enough. */
function isTurnOf(entry: Entry): boolean {
  if (entry.polledIn === round) round += 1;
  entry.polledIn = round;
  queue = queue.filter(({ polledIn }) => round - polledIn <= CANCELLED_AFTER);
  if (!queue.includes(entry)) queue.push(entry);
  if (queue[0] !== entry) return false;
  entry.pollsAsFirst += 1;
  return entry.pollsAsFirst > HASH_QUEUE.pause;
}
