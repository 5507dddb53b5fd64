import { QUEUE_TIMEOUT, runInHashQueue } from "~/platform/hash-queue.server";

/** Does something while the queue for hashes is full, and nobody waits long for a slot in it. */
export async function withFullHashQueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const { length } = QUEUE_TIMEOUT;
  let release = () => {};
  const blocker = new Promise<void>((resolve) => {
    release = resolve;
  });
  const blocked = Array.from({ length: 4 }, () => runInHashQueue(() => blocker));
  QUEUE_TIMEOUT.length = 20;
  try {
    return await work();
  } finally {
    QUEUE_TIMEOUT.length = length;
    release();
    await Promise.all(blocked);
  }
}
