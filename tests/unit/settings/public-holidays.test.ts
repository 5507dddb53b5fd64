import { expect, test } from "vitest";
import { HOLIDAY_COUNTRIES, publicHolidays } from "~/features/settings-management/public-holidays";

const daysOf = (country: string, year: number) => publicHolidays(country, year).map(({ day }) => day.slice(5));

test("the federal holidays of the United States are those that its Office of Personnel Management publishes", () => {
  expect(daysOf("us", 2026)).toEqual("01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25".split(" "));
  // Juneteenth and Christmas fall on a Saturday, Independence Day on a Sunday.
  expect(daysOf("us", 2027)).toEqual("01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24".split(" "));
});

test("in England, Christmas on a weekend gives two working days after it", () => {
  expect(daysOf("gb", 2026)).toEqual("01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28".split(" "));
  expect(daysOf("gb", 2027)).toEqual("01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28".split(" "));
  expect(daysOf("gb", 2022).slice(-2)).toEqual(["12-26", "12-27"]);
});

test("feasts follow Easter, and Victoria Day is the Monday before May 25", () => {
  expect(daysOf("de", 2026)).toEqual("01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26".split(" "));
  expect(daysOf("fr", 2038)).toContain("04-26");
  expect(daysOf("at", 2027)).toContain("05-27");
  expect([daysOf("ca", 2026)[3], daysOf("ca", 2027)[3]]).toEqual(["05-18", "05-24"]);
});

test("every preset has as many days as it says, each once, for ten years", () => {
  for (const { value, label } of HOLIDAY_COUNTRIES)
    for (let year = 2026; year < 2036; year += 1) {
      const days = daysOf(value, year);
      expect([value, year, new Set(days).size]).toEqual([value, year, Number(/\((\d+)\)$/.exec(label)?.[1])]);
    }
  expect(publicHolidays("constructor", 2026)).toEqual([]);
});
