import { describeError } from "~/lib/describe-error";

/** Leaves one log line about a failure that nobody waits for, in the form of `platform/log.server.ts`. */
export function reportLiveFailure(event: `live_${string}`, error: unknown): void {
  console.warn(JSON.stringify({ level: "warn", event, reason: describeError(error) }));
}
