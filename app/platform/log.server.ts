/**
 * The only fields a log line may carry. There is no way to log a body, cookie, token, code, address, name or message:
 * what is not listed here is dropped.
 */
const ALLOWED = [
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

export type LogFields = Partial<Record<(typeof ALLOWED)[number], string | number | boolean | null>>;

export type Log = (level: "info" | "warn" | "error", fields: LogFields & { event: string }) => void;

/** One JSON line per event. Control characters are escaped by JSON itself; long text is cut. */
export const log: Log = (level, fields) => {
  const line: Record<string, unknown> = { level };
  for (const name of ALLOWED) {
    const value = fields[name];
    if (value !== undefined) line[name] = typeof value === "string" ? value.slice(0, 300) : value;
  }
  console[level](JSON.stringify(line));
};
