/** All others are dropped, so that nobody can log a body, cookie, token, name or message. */
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

/** JSON escapes control characters; long texts are cut. */
export const log: Log = (level, fields) => {
  const line: Record<string, unknown> = { level };
  for (const name of FIELDS) {
    const value = fields[name];
    if (value !== undefined) line[name] = typeof value === "string" ? value.slice(0, 300) : value;
  }
  console[level](JSON.stringify(line));
};

const LEVELS = { debug: "info", log: "info", info: "info", warn: "warn", error: "error" } as const;

/** Libraries write plain text, some with the address that was asked for: only the words of it are kept. */
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

const isOurLine = (value: unknown): value is string => typeof value === "string" && value.startsWith('{"level":"');

/** Returns the words of a text or an error, without quoted parts and whatever contains a slash, digit or sign. */
function wordsOf(value: unknown): string {
  const text = value instanceof Error ? `${value.name} ${value.message}` : typeof value === "string" ? value : "";
  const unquoted = text.slice(0, 1_000).replace(/(["'`]).*?\1/gs, " ");
  return (unquoted.match(/(?<![^\s(])[A-Za-z]+(?=[\s.,:;)]|$)/g) ?? []).slice(0, 30).join(" ");
}
