import type { Duration } from "./time";

/** Waits for the work, but no longer than this. The work itself cannot be stopped; its late outcome is ignored. */
export function withTimeout<Value>(limit: Duration, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No answer within ${limit} ms`)), limit);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
