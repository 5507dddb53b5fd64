/**
 * Leaves one log line about a failure that nobody waits for. The reason is the first line of the error's own message
 * with everything quoted taken out, so that no value gets into the log.
 */
export function reportLiveFailure(event: `live_${string}`, error: unknown): void {
  const message = error instanceof Error ? error.message : "unknown error";
  const reason = (message.split("\n")[0] ?? "").replace(/(["'`]).*?\1/g, "…").slice(0, 200);
  console.warn(JSON.stringify({ level: "warn", event, reason }));
}
