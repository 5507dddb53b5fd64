import { expect, test } from "vitest";
import { formatCents, formatDollars, percentOfCents } from "~/lib/numbers";

test("amounts are formatted with cents and thousands separators", () => {
  expect(formatCents(0)).toBe("$0.00");
  expect(formatCents(5)).toBe("$0.05");
  expect(formatCents(209_660)).toBe("$2,096.60");
  expect(formatCents(123_456_789)).toBe("$1,234,567.89");
  expect(formatCents(99_999)).toBe("$999.99");
});

test("whole dollars are rounded half up", () => {
  expect(formatDollars(2_765)).toBe("$28");
  expect(formatDollars(5_215)).toBe("$52");
  expect(formatDollars(8_015)).toBe("$80");
  expect(formatDollars(150)).toBe("$2");
  expect(formatDollars(100_000)).toBe("$1,000");
});

test("a percentage of an amount is a whole number of cents", () => {
  expect(percentOfCents(7_900, 35)).toBe(2_765);
  expect(percentOfCents(7_950, 35)).toBe(2_783);
  expect(percentOfCents(1, 35)).toBe(0);
  expect(percentOfCents(0, 35)).toBe(0);
});
