import { clockIn, dayIn, type Instant } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";

type TimeMode = "date" | "datetime" | "time" | "short";

/** Formats a time: "Nov 19, 2026", "Nov 19, 2026, 14:05", "14:05" or, in short, "Nov 19, 14:05". */
export function formatInstant(at: Instant, zone: string, mode: TimeMode): string {
  const day = dayIn(zone, at);
  const time = clockIn(zone, at);
  const date = `${shortDay(day)}, ${day.slice(0, 4)}`;
  return { date, time, datetime: `${date}, ${time}`, short: `${shortDay(day)}, ${time}` }[mode];
}

export function Time({ at, zone, mode = "datetime" }: { at: Instant; zone: string; mode?: TimeMode }) {
  return (
    <time className="inline-block" dateTime={new Date(at).toISOString()}>
      {formatInstant(at, zone, mode)}
    </time>
  );
}
