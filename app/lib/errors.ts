import type { Duration } from "./time";

/** Ends a switch over a union, so that a new member without a case does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

/** Throws when a condition that the types cannot express is false. Only for bugs, never for what a person typed. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Database errors have the query in their message and the reason only in their cause. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const cause = error.cause instanceof Error ? ` <- ${firstLine(error.cause)}` : "";
  return `${error.name}: ${firstLine(error).slice(0, 150)}${cause}`;
}

const firstLine = (error: Error) => (error.message.split("\n")[0] ?? "").replace(/(["'`]).*?\1/g, "…").slice(0, 200);

/** The work itself cannot be stopped; a late result is ignored. */
export function withTimeout<Value>(timeout: Duration, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Timed out after ${timeout} ms`)), timeout);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Expected failures are values; only bugs and outages throw. */
export type Result<Value, Code extends string> = { ok: true; value: Value } | { ok: false; code: Code };

export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

export const fail = <Code extends string>(code: Code): { ok: false; code: Code } => ({ ok: false, code });
