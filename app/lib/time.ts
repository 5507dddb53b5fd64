/** UTC milliseconds since the epoch: how every moment is stored, compared and passed around. */
export type Instant = number;

/** A length of time in milliseconds, always built by the functions below so that its unit is readable. */
export type Duration = number;

export const seconds = (count: number): Duration => count * 1_000;
export const minutes = (count: number): Duration => count * 60_000;
export const hours = (count: number): Duration => count * 3_600_000;
export const days = (count: number): Duration => count * 86_400_000;

/** The calendar day of an instant in a time zone, as `YYYY-MM-DD`. `zone` is an IANA name. */
export function dayIn(zone: string, at: Instant): string {
  // The Canadian locale happens to write dates as ISO 8601 does.
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at,
  );
}

/** Offset of a zone from UTC at an instant, in milliseconds (positive east of Greenwich). */
function offsetOf(zone: string, at: Instant): Duration {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((entry) => entry.type === type)?.value);
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return wall - Math.floor(at / 1_000) * 1_000;
}

/** The instant at which a calendar day (`YYYY-MM-DD`) begins in a time zone, correct across daylight-saving days. */
export const startOfDay = (zone: string, day: string): Instant => clockTime(zone, day, 0);

/** The instant at which the clocks of a zone show a time of a day, given as the time since midnight: `hours(8)`. */
export function clockTime(zone: string, day: string, sinceMidnight: Duration): Instant {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + sinceMidnight;
  const guess = asUtc - offsetOf(zone, asUtc);
  // The offset may differ between the guess and the time meant; one correction settles it.
  return asUtc - offsetOf(zone, guess);
}

/** A calendar day some days away from another: `dayAfter("2026-11-30", 1)` → "2026-12-01". */
export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days(count)).toISOString().slice(0, 10);

/** Whether a text is a day of the calendar, written `YYYY-MM-DD`: "2026-02-30" is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
