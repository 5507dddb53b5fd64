import type { HTMLAttributes, ReactNode } from "react";
import { clockIn, dayIn, type Instant } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";
import { cx } from "./cx";

/** Renders an address that may take two lines: it breaks before its domain, and inside a word only if it must. */
export function EmailText({ email }: { email: string }) {
  const domainAt = email.lastIndexOf("@") + 1;
  if (domainAt === 0) return email;
  return (
    <span className="wrap-anywhere">
      {email.slice(0, domainAt)}
      <wbr />
      {email.slice(domainAt)}
    </span>
  );
}

/** Never for prose or prices. */
export function Mono({ className, ...rest }: HTMLAttributes<HTMLSpanElement>) {
  return <span className={cx("font-medium font-mono text-[0.9em]/[1.4]", className)} {...rest} />;
}

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}

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
    <time className="whitespace-nowrap" dateTime={new Date(at).toISOString()}>
      {formatInstant(at, zone, mode)}
    </time>
  );
}
