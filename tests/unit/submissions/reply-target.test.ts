import { expect, test } from "vitest";
import { replyDue, replyDueAt, targetTime } from "~/features/submissions/reply-target";
import { calendarOf } from "~/lib/opening-hours";
import { hours } from "~/lib/time";

const zone = "America/Chicago";
const calendar = calendarOf({ zone, openingHours: { workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 } });
const promised = (at: string) => targetTime(zone, replyDueAt(calendar, Date.parse(at)));

test.each([
  [
    "during the day, until the same time of the next",
    "2026-11-17T14:05:00-06:00",
    "Wednesday, November 18, 2:05 PM CST",
  ],
  ["before opening, until closing time", "2026-11-17T06:30:00-06:00", "Tuesday, November 17, 6:00 PM CST"],
  ["at the minute of opening, until closing time", "2026-11-17T08:00:00-06:00", "Tuesday, November 17, 6:00 PM CST"],
  [
    "after closing, until closing time of the next day",
    "2026-11-17T21:00:00-06:00",
    "Wednesday, November 18, 6:00 PM CST",
  ],
  [
    "at closing time, until closing time of the next day",
    "2026-11-17T18:00:00-06:00",
    "Wednesday, November 18, 6:00 PM CST",
  ],
  ["on Friday afternoon, until Monday afternoon", "2026-11-20T17:00:00-06:00", "Monday, November 23, 5:00 PM CST"],
  ["on Friday night, until Monday evening", "2026-11-20T23:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on Saturday, until Monday evening", "2026-11-21T12:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on Sunday, until Monday evening", "2026-11-22T12:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on the last day of the year, into the next", "2026-12-31T10:00:00-06:00", "Friday, January 1, 10:00 AM CST"],
  ["before the clocks go forward, at the same local time", "2026-03-06T15:00:00-06:00", "Monday, March 9, 3:00 PM CDT"],
  ["before the clocks go back, at the same local time", "2026-10-30T15:00:00-05:00", "Monday, November 2, 3:00 PM CST"],
])("what comes %s", (_, at, until) => {
  expect(promised(at)).toBe(until);
});

test("a promise is told rounded down to the minute, in the site's time wherever the visitor is", () => {
  expect(promised("2026-11-17T14:05:59.999-06:00")).toBe("Wednesday, November 18, 2:05 PM CST");
  expect(promised("2026-11-18T05:05:00+09:00")).toBe("Wednesday, November 18, 2:05 PM CST");
});

const dueAt = Date.parse("2026-11-20T20:00:00Z");
const facts = { zone, dueAt, isNew: true, answeredAt: null };

test("the promise of an unanswered submission runs until it is due, and is late afterwards", () => {
  expect(replyDue({ ...facts, now: dueAt - 1 })).toMatchObject({ state: "today", dueAt });
  expect(replyDue({ ...facts, now: dueAt + 1 })).toMatchObject({ state: "late", dueAt });
});

test("the first answer decides whether the promise was kept, whatever came later", () => {
  const now = dueAt + hours(100);
  expect(replyDue({ ...facts, now, answeredAt: dueAt })).toMatchObject({ state: "kept" });
  expect(replyDue({ ...facts, now, answeredAt: dueAt + 1 })).toMatchObject({ state: "missed" });
});

test("what counted as answered when it came was promised nothing", () => {
  expect(replyDue({ ...facts, now: dueAt, isNew: false })).toBeNull();
});
