import { type Duration, type Instant, seconds } from "~/lib/time";

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

/** Sets how many entries at the head of the queue wait without a timeout, the running one included. */
const SLOTS = 4;
/** Limits how long an entry behind these waits. Tests of a full queue wait less. */
export const QUEUE_TIMEOUT: { length: Duration } = { length: seconds(2) };
/**
 * Sets the time between two hashes for other requests: a page takes several steps, and each would wait for a hash.
 * Tests without other requests leave none.
 */
export const HASH_PAUSE: { length: Duration } = { length: 20 };
/** Sets how often a waiting request checks whether it is next. */
const POLL_INTERVAL: Duration = 10;
/** Sets after how much time without a poll a waiting request counts as cancelled. */
const CANCELLED_AFTER: Duration = 250;
/** Sets after how much time a running hash counts as cancelled. */
const HASH_TIMEOUT: Duration = seconds(10);

type Entry = { polledAt: Instant; startedAt: Instant | null };

/**
 * Holds the waiting requests, first come, first served. When a browser disconnects, the runtime cancels the timers and
 * promises of its request. A request that waited for the promise of another one could then wait for ever, and so would
 * all behind it. So each request polls this list by itself, and entries of cancelled requests are removed.
 */
let queue: Entry[] = [];
let lastEndedAt: Instant = 0;

/**
 * Runs one slow hash. The runtime executes scrypt synchronously, so hashes run one after another with a pause between
 * them: every other request of the isolate waits for little more than one hash. Throws `HashQueueFullError`.
 */
export async function runInHashQueue<Value>(hash: () => Value): Promise<Value> {
  const enqueuedAt = Date.now();
  const entry: Entry = { polledAt: enqueuedAt, startedAt: null };
  try {
    while (!isNext(entry)) {
      if (queue.indexOf(entry) >= SLOTS && Date.now() - enqueuedAt >= QUEUE_TIMEOUT.length) {
        throw new HashQueueFullError("No slot for hashing became free");
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
    }
    entry.startedAt = Date.now();
    return await hash();
  } finally {
    if (entry.startedAt !== null) lastEndedAt = Date.now();
    queue = queue.filter((other) => other !== entry);
  }
}

/** Keeps the entry in the queue and tells whether it is the first one and the pause is over. */
function isNext(entry: Entry): boolean {
  const now = Date.now();
  entry.polledAt = now;
  queue = queue.filter((other) => !isCancelled(other, now));
  if (!queue.includes(entry)) queue.push(entry);
  return queue[0] === entry && now - lastEndedAt >= HASH_PAUSE.length;
}

/**
 * Tells whether the request of an entry was cancelled. While a hash runs nobody can poll, so its end counts as a poll.
 */
function isCancelled({ polledAt, startedAt }: Entry, now: Instant): boolean {
  if (startedAt !== null) return now - startedAt > HASH_TIMEOUT;
  return now - Math.max(polledAt, lastEndedAt) > CANCELLED_AFTER;
}
