import { expect, test } from "vitest";
import { type Calendar, nextOpening, openingHoursInWords, openTimeBetween, openTimeMeter } from "~/lib/calendar";
import { clockIn, dayIn, days, hours, minutes, startOfDay } from "~/lib/time";
import { dueInWords, dueOf, durationInWords } from "~/lib/time-labels";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";

const zone = "America/Chicago";

test("a day in the site's time zone begins at its local midnight, in winter and in summer", () => {
  expect(new Date(startOfDay(zone, "2026-01-15")).toISOString()).toBe("2026-01-15T06:00:00.000Z");
  expect(new Date(startOfDay(zone, "2026-07-15")).toISOString()).toBe("2026-07-15T05:00:00.000Z");
});

test("the days on which the clocks change are 23 and 25 hours long", () => {
  expect(startOfDay(zone, "2026-03-09") - startOfDay(zone, "2026-03-08")).toBe(hours(23));
  expect(startOfDay(zone, "2026-11-02") - startOfDay(zone, "2026-11-01")).toBe(hours(25));
});

test("an evening in the site's time zone belongs to that day, although it is the next day in UTC", () => {
  expect(dayIn(zone, Date.parse("2026-11-19T03:30:00Z"))).toBe("2026-11-18");
});

test.each([
  ["America/Chicago", "2026-03-08T00:00:00Z"],
  ["America/Chicago", "2026-11-01T00:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T00:00:00Z"],
  ["Asia/Kathmandu", "2026-11-18T00:00:00Z"],
])("the clock of %s says on each quarter of an hour around %s what the system says", (place, from) => {
  const system = new Intl.DateTimeFormat("en-CA", {
    timeZone: place,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  for (let at = Date.parse(from); at < Date.parse(from) + hours(48); at += minutes(15)) {
    expect(`${dayIn(place, at)}, ${clockIn(place, at)}`).toBe(system.format(at));
  }
});

const at = (local: string) => Date.parse(`${local}:00-06:00`);
const plain = (words: string) => words.replaceAll("\u00a0", " ");

// A Monday morning.
const dueAt = at("2026-11-23T09:53");

const words = (now: string, answered: string | null = null) =>
  plain(dueInWords(dueOf({ zone, now: at(now), dueAt, answeredAt: answered ? at(answered) : null })));

test.each([
  ["on an earlier day, its weekday and time", "2026-11-20T17:00", "due Mon 09:53"],
  ["on the evening before, still its weekday", "2026-11-22T23:59", "due Mon 09:53"],
  ["on its day, the time left", "2026-11-23T08:41", "due in 1 h 12 min"],
  ["before opening on its day, the time on the clock", "2026-11-23T05:53", "due in 4 h"],
  ["in its last minute, that it is the last", "2026-11-23T09:53", "due in under a minute"],
  ["afterwards, the delay", "2026-11-23T10:28", "late by 35 min"],
  ["days later, the nights are part of the delay", "2026-11-25T23:53", "late by 2 d 14 h"],
])("a promise is told %s", (_, now, expected) => {
  expect(words(now)).toBe(expected);
});

test("a weekday stands for the next six days only: what is due later has its date", () => {
  expect(words("2026-11-17T09:54")).toBe("due Mon 09:53");
  expect(words("2026-11-17T09:53")).toBe("due Nov 23 09:53");
});

test("an answer in time says when: on its day the time, within six days the weekday, later the date", () => {
  expect(words("2026-11-23T23:59", "2026-11-23T08:01")).toBe("answered 08:01");
  expect(words("2026-11-24T00:00", "2026-11-23T08:01")).toBe("answered Mon 08:01");
  expect(words("2026-11-29T08:00", "2026-11-23T08:01")).toBe("answered Mon 08:01");
  expect(words("2026-11-29T08:01", "2026-11-23T08:01")).toBe("answered Nov 23 08:01");
  expect(words("2026-11-23T10:00", "2026-11-23T09:53")).toBe("answered 09:53");
});

test("an answer after the promised time says by how much", () => {
  expect(words("2026-12-01T08:00", "2026-11-23T10:28")).toBe("answered 35 min late");
});

test("durations are rounded down, and are never nothing", () => {
  expect(plain(durationInWords(hours(3) + minutes(5) + 59_000))).toBe("3 h 5 min");
  expect(plain(durationInWords(days(2) + minutes(59)))).toBe("2 d");
  expect(plain(durationInWords(0))).toBe("under a minute");
});

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

test.each([
  [{ workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 }, "Monday-Friday 8am-6pm"],
  [{ workingDays: [6], opens: 0, closes: 12 }, "Saturday 12am-12pm"],
  [{ workingDays: [0, 1, 2, 3, 4, 5, 6], opens: 9, closes: 24 }, "Sunday-Saturday 9am-12am"],
])("the opening hours %j are written as %s", (openingHours, words) => {
  expect(openingHoursInWords(openingHours)).toBe(words);
});
