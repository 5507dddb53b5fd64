import { expect, test } from "vitest";
import { dayIn, hours, startOfDay } from "~/lib/time";

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
