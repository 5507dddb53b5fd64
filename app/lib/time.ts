/** Holds a point in time as UTC milliseconds since the epoch. */
export type Instant = number;

/** Holds a length of time in milliseconds. Built by the functions below, so that its unit is readable. */
export type Duration = number;

export const seconds = (count: number): Duration => count * 1_000;
export const minutes = (count: number): Duration => count * 60_000;
export const hours = (count: number): Duration => count * 3_600_000;
export const days = (count: number): Duration => count * 86_400_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating one costs far more than using it. */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, formatter);
  return formatter;
}

/** Asks the formatter for the offset of a zone from UTC at an instant, in milliseconds (positive east of Greenwich). */
function measuredOffset(zone: string, at: Instant): Duration {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / seconds(1)) * seconds(1);
}

/** Holds the offset of each day of UTC, by zone; null for a day when the clocks change. */
const offsets = new Map<string, Map<number, Duration | null>>();

const OFFSETS_MAX = 2_000;

/** Cached by day of UTC: only on a day when the clocks change is the formatter asked for each time. */
function offsetOf(zone: string, at: Instant): Duration {
  const day = Math.floor(at / days(1));
  const known = offsets.get(zone) ?? new Map<number, Duration | null>();
  offsets.set(zone, known);
  let offset = known.get(day);
  if (offset === undefined) {
    const first = measuredOffset(zone, days(day));
    offset = first === measuredOffset(zone, days(day + 1)) ? first : null;
    if (known.size >= OFFSETS_MAX) known.clear();
    known.set(day, offset);
  }
  return offset ?? measuredOffset(zone, at);
}

/** Returns what calendar and clock of a zone say at an instant, as the instant at which they say it in UTC. */
const localTime = (zone: string, at: Instant): Instant => at + offsetOf(zone, at);

/** A list asks for the same few, several times a row. */
const dayNames = new Map<number, string>();

export function dayIn(zone: string, at: Instant): string {
  const number = Math.floor(localTime(zone, at) / days(1));
  const known = dayNames.get(number);
  if (known) return known;
  const name = new Date(days(number)).toISOString().slice(0, 10);
  if (dayNames.size >= OFFSETS_MAX) dayNames.clear();
  dayNames.set(number, name);
  return name;
}

/** Returns what the clock of a time zone says at an instant: "09:53", or with its seconds "09:53:20". */
export function clockIn(zone: string, at: Instant, { withSeconds = false } = {}): string {
  const local = localTime(zone, at);
  const minute = Math.floor((local - days(Math.floor(local / days(1)))) / minutes(1));
  const clock = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
  return withSeconds ? `${clock}:${twoDigits(Math.floor(local / seconds(1)) % 60)}` : clock;
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number));

export const startOfDay = (zone: string, day: string): Instant => zonedInstant(zone, day, 0);

/** Of a time that the clocks show twice it is the first; one that they leave out is as much later as they leave out. */
export function zonedInstant(zone: string, day: string, sinceMidnight: Duration): Instant {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + sinceMidnight;
  // No zone is more than a day from UTC, and none changes its clocks twice within two days.
  const before = offsetOf(zone, asUtc - days(1));
  const after = offsetOf(zone, asUtc + days(1));
  const [first, second] = [asUtc - before, asUtc - after];
  return before === after || offsetOf(zone, first) === before || offsetOf(zone, second) !== after ? first : second;
}

/** Adds days to a calendar day: `addDays("2026-11-30", 1)` → "2026-12-01". */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days(count)).toISOString().slice(0, 10);

export const zoneName = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** "2026-02-30" is not one. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
