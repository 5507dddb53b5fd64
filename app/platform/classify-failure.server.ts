import { isHashQueueFull } from "./hash-queue.server";

type FailureClass = { status: 500 | 503; retryAfterSeconds?: number; text?: string };

/** Matches what D1 and R2 say when they do not work; R2 names the operation first and its code at the end. */
const DOWN =
  /D1_ERROR|D1_EXEC_ERROR|D1 DB|Network connection lost|overloaded|R2Error|internal error; reference|\b(?:get|put|head|list|delete): .*\(100\d\d\)/i;

/**
 * Returns the status of the response to an unexpected error. A dependency that is down, a database that is not migrated
 * and a full hash queue are 503: a retry may help. Everything else is a bug, and 500.
 */
export function classifyFailure(error: unknown): FailureClass {
  const text = describe(error);
  if (isHashQueueFull(error)) return { status: 503, retryAfterSeconds: 2 };
  if (/no such table|no such column|has no column named/.test(text)) {
    return {
      status: 503,
      retryAfterSeconds: 60,
      text: "Database update needed: run “npm run deploy” (or “npm start” on your own computer).",
    };
  }
  if (DOWN.test(text)) return { status: 503, retryAfterSeconds: 5 };
  return { status: 500 };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
}
