import type { Instant } from "~/lib/time";
import { dueIfResumed } from "./due-time";
import type { PromiseKind, RunningPromise } from "./running";

/** Holds how a promise ended: whether in time, and when the reply came, null if it had not come by then. */
export type Verdict = {
  kind: PromiseKind;
  outcome: "kept" | "missed";
  startedAt: Instant;
  dueAt: Instant;
  answeredAt: Instant | null;
};

/** Declares a promise missed whose time has passed. It is due through the very millisecond it was promised for. */
export function judged(promise: RunningPromise, at: Instant): { promise: RunningPromise; verdicts: Verdict[] } {
  const { kind, startedAt, dueAt, missed } = promise;
  if (missed || dueAt === null || at <= dueAt) return { promise, verdicts: [] };
  return {
    promise: { ...promise, missed: true, warnAt: null },
    verdicts: [{ kind, outcome: "missed", startedAt, dueAt, answeredAt: null }],
  };
}

/** Returns the verdict of a promise that ends with what it waited for. None, if it was judged before. */
export function verdictAt(promise: RunningPromise | null, at: Instant): Verdict[] {
  if (!promise || promise.missed) return [];
  const { kind, startedAt } = promise;
  const dueAt = dueIfResumed(promise, at);
  return [{ kind, outcome: at <= dueAt ? "kept" : "missed", startedAt, dueAt, answeredAt: at }];
}
