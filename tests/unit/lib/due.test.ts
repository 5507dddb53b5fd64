import { expect, test } from "vitest";
import { days, hours, minutes } from "~/lib/time";
import { dueInWords, dueOf, durationInWords } from "~/lib/time-labels";

const zone = "America/Chicago";
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
