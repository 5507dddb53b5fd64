import { expect, test } from "vitest";
import { clockIn, dayIn, hours, minutes, startOfDay } from "~/lib/time";

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
