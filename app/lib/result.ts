/**
 * Holds the expected outcome of a command. Expected failures are values; only bugs and outages throw. `code` is one of
 * a closed union per command; its text is in the feature's `copy.ts`.
 */
export type Result<Value, Code extends string> = { ok: true; value: Value } | { ok: false; code: Code };

/** Returns the outcome of a command that succeeded. */
export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** Returns the outcome of a command that failed for an expected reason. */
export const fail = <Code extends string>(code: Code): { ok: false; code: Code } => ({ ok: false, code });
