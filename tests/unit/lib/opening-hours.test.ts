import { expect, test } from "vitest";
import { afterOpenTime } from "~/lib/calendar";
import { calendarOf, openingHoursInWords } from "~/lib/opening-hours";
import { hours } from "~/lib/time";

const calendar = calendarOf({
  zone: "America/Chicago",
  openingHours: { workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 },
});
const at = (text: string) => Date.parse(text);
const due = (from: string) => new Date(afterOpenTime(calendar, at(from), hours(10))).toISOString();

test("one working day of open time, started in the middle of a day, ends at the same hour of the next", () => {
  expect(due("2026-11-19T20:00:00Z")).toBe("2026-11-20T20:00:00.000Z");
});

test("nights and weekends do not count: what starts on Friday afternoon ends on Monday afternoon", () => {
  expect(due("2026-11-20T21:30:00Z")).toBe("2026-11-23T21:30:00.000Z");
  expect(due("2026-11-21T15:00:00Z")).toBe("2026-11-24T00:00:00.000Z");
});

test("on the Monday after the clocks change the company still opens at eight, local time", () => {
  // Central time goes from UTC-5 to UTC-6 on Sunday, November 1.
  expect(due("2026-10-30T13:00:00Z")).toBe("2026-10-30T23:00:00.000Z");
  expect(due("2026-10-31T18:00:00Z")).toBe("2026-11-03T00:00:00.000Z");
});

test.each([
  [{ workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 }, "Monday-Friday 8am-6pm"],
  [{ workingDays: [6], opens: 0, closes: 12 }, "Saturday 12am-12pm"],
  [{ workingDays: [0, 1, 2, 3, 4, 5, 6], opens: 9, closes: 24 }, "Sunday-Saturday 9am-12am"],
])("the opening hours %j are written as %s", (openingHours, words) => {
  expect(openingHoursInWords(openingHours)).toBe(words);
});
