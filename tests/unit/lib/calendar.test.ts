import { expect, test } from "vitest";
import { type Calendar, nextOpening, openTimeBetween, openTimeMeter } from "~/lib/calendar";
import { days, hours, minutes } from "~/lib/time";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";

const everyDay = (...frames: { opens: number; closes: number }[]): Calendar => ({
  zone: "America/Chicago",
  week: Array.from({ length: 7 }, () => frames),
  holidays: [{ day: "12-25", name: "Christmas Day" }],
});

test("many spans measured at once are as long as each by itself", () => {
  const calendar = everyDay({ opens: 480, closes: 720 }, { opens: 780, closes: 1_080 });
  const { next: random } = seededRandom(7);
  const from = Date.parse("2026-10-20T12:34:56Z");
  const until = from + days(90);
  const openTimeUntil = openTimeMeter(calendar, from, until);
  for (let span = 0; span < 300; span += 1) {
    const [start = from, end = until] = [from + random() * days(90), from + random() * days(90)].sort((a, b) => a - b);
    const time = openTimeUntil(end) - openTimeUntil(start);
    expect(time).toBeCloseTo(openTimeBetween(calendar, start, end), 3);
  }
  expect([openTimeUntil(from), openTimeUntil(until)]).toEqual([0, openTimeBetween(calendar, from, until)]);
});

test("where hours begin in the hour that the clocks leave out, and end in the next, no time is open, and none less", () => {
  const calendar = everyDay({ opens: 150, closes: 180 });
  const midnight = Date.parse("2026-03-08T06:00:00Z");
  expect(openTimeBetween(calendar, midnight, midnight + days(1))).toBe(0);
  expect(openTimeBetween(calendar, midnight, midnight + days(2))).toBe(minutes(30));
  // On Monday at half past two, by summer time.
  expect(nextOpening(calendar, midnight)).toBe(midnight + days(1) + hours(1.5));
});
