/**
 * Lists the fields of log lines. All others are dropped, so that nobody can log a body, cookie, token, name or message.
 */
const FIELDS = [
  "event",
  "request_id",
  "method",
  "path",
  "status",
  "duration_ms",
  "reason",
  "ability",
  "user_id",
  "role",
  "object_type",
  "object_id",
  "count",
  "job",
  "kind",
  "variable",
  "error",
] as const;

export type LogFields = Partial<Record<(typeof FIELDS)[number], string | number | boolean | null>>;

export type Log = (level: "info" | "warn" | "error", fields: LogFields & { event: string }) => void;

/** Writes one JSON line per event. JSON escapes control characters; long texts are cut. */
export const log: Log = (level, fields) => {
  const line: Record<string, unknown> = { level };
  for (const name of FIELDS) {
    const value = fields[name];
    if (value !== undefined) line[name] = typeof value === "string" ? value.slice(0, 300) : value;
  }
  console[level](JSON.stringify(line));
};
