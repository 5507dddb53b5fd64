import { FRAMES_MAX, HOLIDAYS_MAX } from "~/features/settings/calendar";
import type { Frame, Holiday } from "~/lib/calendar";
import { isDay } from "~/lib/time";

type Read<Value> = { ok: true; value: Value } | { ok: false; message: string };

const END_OF_DAY = 1_440;
const FRAME = /^(\d{1,2})(?::(\d{2}))?\s*[-–]\s*(\d{1,2})(?::(\d{2}))?$/;

const minuteOf = (hour = "", minute = "00") => (Number(minute) < 60 ? Number(hour) * 60 + Number(minute) : Number.NaN);

/** Reads the hours of a day as people write them: "08:00-12:00, 13:00-18:00"; empty on a day off. */
export function readFrames(text: string): Read<Frame[]> {
  const parts = text.split(/[,;\n]/).flatMap((part) => part.trim() || []);
  const frames: Frame[] = [];
  for (const part of parts) {
    const [, fromHour, fromMinute, toHour, toMinute] = FRAME.exec(part) ?? [];
    const frame = { opens: minuteOf(fromHour, fromMinute), closes: minuteOf(toHour, toMinute) };
    if (!fromHour || !(frame.opens < END_OF_DAY) || !(frame.closes <= END_OF_DAY))
      return { ok: false, message: `“${part}” are no hours. Write them like 08:00-12:00, 13:00-18:00` };
    if (frame.opens >= frame.closes)
      return {
        ok: false,
        message: `“${part}” ends before it begins. A night is until 24:00, and from 00:00 the next day`,
      };
    frames.push(frame);
  }
  if (frames.length > FRAMES_MAX) return { ok: false, message: `At most ${FRAMES_MAX} times a day` };
  frames.sort((one, other) => one.opens - other.opens);
  const overlap = frames.findIndex(({ opens }, index) => opens < (frames[index - 1]?.closes ?? 0));
  if (overlap > 0) return { ok: false, message: `${framesText(frames.slice(overlap - 1, overlap + 1))} overlap` };
  return { ok: true, value: frames };
}

/** Formats the hours of a day, so that `readFrames` reads them back. */
export const framesText = (frames: readonly Frame[]): string =>
  frames.map(({ opens, closes }) => `${clockText(opens)}-${clockText(closes)}`).join(", ");

const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

const NAME_MAX = 100;

/** Reads days off, one a line: "2026-11-26 Thanksgiving", or each year "12-25 Christmas Day". */
export function readHolidays(text: string): Read<Holiday[]> {
  const holidays: Holiday[] = [];
  for (const line of text.split("\n").flatMap((one) => one.trim() || [])) {
    const [, day = "", name = ""] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    // A leap year has every day of any year.
    if (!name || name.length > NAME_MAX || !isDay(day.length === 5 ? `2024-${day}` : day))
      return { ok: false, message: `“${line}” is no day off. Write a day and its name, like 12-25 Christmas Day` };
    if (holidays.some((other) => other.day === day)) return { ok: false, message: `${day} is there twice` };
    holidays.push({ day, name });
  }
  if (holidays.length > HOLIDAYS_MAX) return { ok: false, message: `At most ${HOLIDAYS_MAX} days off` };
  return { ok: true, value: holidays };
}

export const holidaysText = (holidays: readonly Holiday[]): string =>
  holidays.map(({ day, name }) => `${day} ${name}`).join("\n");

/** Returns the IANA name of a time zone as it is spelled; null for text that is none. */
export function zoneNamed(text: string): string | null {
  if (!/^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
