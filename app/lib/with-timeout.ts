import type { Duration } from "./time";

/** Rejects if the work takes longer than the timeout. The work itself cannot be stopped; a late result is ignored. */
export function withTimeout<Value>(timeout: Duration, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Timed out after ${timeout} ms`)), timeout);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
