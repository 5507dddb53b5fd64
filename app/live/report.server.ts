import { describeError } from "~/lib/describe-error";

/** Logs a failure in the background, in the format of `platform/log.server.ts`, which this folder may not import. */
export function reportLiveFailure(event: `live_${string}`, error: unknown): void {
  console.warn(JSON.stringify({ level: "warn", event, reason: describeError(error) }));
}
