import { expect, test } from "vitest";
import { leftInWords, responseTarget } from "~/features/submissions/record/response-target";
import { hours, minutes } from "~/lib/time";

const zone = "America/Chicago";
const openingHours = { workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 };
const submittedAt = Date.parse("2026-11-19T20:00:00Z");
const dueAt = Date.parse("2026-11-20T20:00:00Z");
const facts = { zone, openingHours, submittedAt, isNew: true, answeredAt: null };

test("an unanswered submission has open time left until it is due, and is overdue afterwards", () => {
  const now = Date.parse("2026-11-20T16:40:00Z");
  expect(responseTarget({ ...facts, now })).toEqual({ state: "running", dueAt, left: hours(3) + minutes(20) });
  expect(responseTarget({ ...facts, now: dueAt + 1 })).toEqual({ state: "overdue", dueAt });
});

test("the first answer decides whether the promise was kept, whatever came later", () => {
  const now = dueAt + hours(100);
  expect(responseTarget({ ...facts, now, answeredAt: dueAt })).toMatchObject({ state: "kept" });
  expect(responseTarget({ ...facts, now, answeredAt: dueAt + 1 })).toMatchObject({ state: "late" });
});

test("what counted as answered when it came was promised nothing", () => {
  expect(responseTarget({ ...facts, now: dueAt, isNew: false })).toBeNull();
});

test("the time left is rounded down", () => {
  const words = (left: number) => leftInWords(left).replaceAll("\u00a0", " ");
  expect(words(hours(3) + minutes(20) + 59_000)).toBe("3 h 20 m left");
  expect(words(hours(10))).toBe("10 h left");
  expect(words(minutes(7))).toBe("7 m left");
});
