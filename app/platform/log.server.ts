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

const LEVELS = { debug: "info", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Makes every line that anybody writes one JSON object of our logger: libraries write plain text, some of it with the
 * address that was asked for. Only the words of such a line are kept, none of the values in it.
 */
export function logOnlyJson(target: Pick<Console, keyof typeof LEVELS>): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, "info" | "warn" | "error"][]) {
    const write = target[method].bind(target);
    target[method] = (...values: unknown[]) => {
      const [first] = values;
      if (isOurLine(first)) write(first);
      else log(level, { event: "library", reason: wordsOf(first) });
    };
  }
}

/** Tells whether a line comes from one of our own loggers: this one, or that of the hub. */
const isOurLine = (value: unknown): value is string => typeof value === "string" && value.startsWith('{"level":"');

/** Returns the words of a text or an error, without quoted parts and whatever contains a slash, digit or sign. */
function wordsOf(value: unknown): string {
  const text = value instanceof Error ? `${value.name} ${value.message}` : typeof value === "string" ? value : "";
  const unquoted = text.slice(0, 1_000).replace(/(["'`]).*?\1/gs, " ");
  return (unquoted.match(/(?<![^\s(])[A-Za-z]+(?=[\s.,:;)]|$)/g) ?? []).slice(0, 30).join(" ");
}
