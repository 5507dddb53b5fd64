import { log } from "./log.server";

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
