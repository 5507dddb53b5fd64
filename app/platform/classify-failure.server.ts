import { HashingSaturated } from "./hash-queue.server";

export type Outage = { status: 500 | 503; retryAfterSeconds?: number; text?: string };

/**
 * What an unexpected error means for the person. A dependency that is down, a database that was not migrated and a
 * full hash queue are 503 and worth another try; everything else is a bug of ours, and 500.
 */
export function classifyFailure(error: unknown): Outage {
  const text = describe(error);
  if (error instanceof HashingSaturated) return { status: 503, retryAfterSeconds: 2 };
  if (/no such table|no such column|has no column named/.test(text)) {
    return {
      status: 503,
      retryAfterSeconds: 60,
      text: "Database update needed: run “npm run deploy” (or “npm start” on your own computer).",
    };
  }
  if (/D1_ERROR|D1_EXEC_ERROR|D1 DB|Network connection lost|overloaded|R2Error|internal error; reference/i.test(text)) {
    return { status: 503, retryAfterSeconds: 5 };
  }
  return { status: 500 };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
}
