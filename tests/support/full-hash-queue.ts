import { HASH_QUEUE } from "~/platform/hash-queue.server";

/** Does something while the queue for hashes has no place, and nobody waits long for one. */
export async function withFullHashQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const limits = { ...HASH_QUEUE };
  // The first one in the queue is without a place too, as long as it has to wait for its turn.
  Object.assign(HASH_QUEUE, { places: 0, patience: 0, pause: 1 });
  try {
    return await work();
  } finally {
    Object.assign(HASH_QUEUE, limits);
  }
}
