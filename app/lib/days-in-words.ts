import { shortDay } from "./due";

type Days = { from: string | null; to: string | null };

/**
 * Names a range of calendar days, both inclusive: "Nov 10–20, 2026", "Nov 30 – Dec 2, 2026", "from Nov 10, 2026". Null
 * without days.
 */
export function daysInWords({ from, to }: Days): string | null {
  if (from === null) return to === null ? null : `until ${long(to)}`;
  if (to === null) return `from ${long(from)}`;
  if (from === to) return long(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${long(from)} – ${long(to)}`;
  if (from.slice(0, 7) !== to.slice(0, 7)) return `${shortDay(from)} – ${long(to)}`;
  return `${shortDay(from)}–${long(to).slice(4)}`;
}

const long = (day: string) => `${shortDay(day)}, ${day.slice(0, 4)}`;
