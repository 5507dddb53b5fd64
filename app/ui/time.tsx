import type { Instant } from "~/lib/time";

type TimeMode = "date" | "datetime" | "time";

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the formatter of a zone. Cached: creating one costs far more than using it, and a table needs one for
 * every row.
 */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  formatters.set(zone, formatter);
  return formatter;
}

/**
 * Formats a time: "Nov 19, 2026", "Nov 19, 2026, 14:05" or "14:05". Put together from parts, because the server's and
 * the browser's tables of punctuation differ, and the two must write the same text.
 */
export function formatInstant(at: Instant, zone: string, mode: TimeMode): string {
  const parts = new Map(
    formatterFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get("month")} ${parts.get("day")}, ${parts.get("year")}`;
  const time = `${parts.get("hour")}:${parts.get("minute")}`;
  return { date, time, datetime: `${date}, ${time}` }[mode];
}

type TimeProps = {
  at: Instant;
  /** IANA name of the zone in which the reader is told the time. */
  zone: string;
  mode?: TimeMode;
};

/** Shows a time for people, with the exact time for programs in `datetime`. */
export function Time({ at, zone, mode = "datetime" }: TimeProps) {
  return <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, mode)}</time>;
}
