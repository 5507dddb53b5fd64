import { expect, test } from "vitest";
import { compareWithBudgets } from "../../../scripts/lib/measure/budgets.mjs";

const EMPTY = { pages: [], data: [], exports: [] };

/** Returns the budgets that a run with this worker bundle, in bytes, has figures for. */
const budgetsOf = (gzip: number) => compareWithBudgets({ ...EMPTY, worker: { gzip } });

test("the bench says of each figure whether it is over the limit, and leaves out what it did not measure", () => {
  const budget = { budget: "Bundle of the worker, bytes", limit: 3_000_000, goal: 1_500_000 };
  expect(budgetsOf(1_500_000)).toEqual([{ ...budget, measured: 1_500_000, verdict: "goal" }]);
  expect(budgetsOf(3_000_000)).toEqual([{ ...budget, measured: 3_000_000, verdict: "within the limit" }]);
  expect(budgetsOf(3_000_001)).toEqual([{ ...budget, measured: 3_000_001, verdict: "OVER THE LIMIT" }]);
});

test("a page that could not be measured is named as not measured, never as a number", () => {
  const verdictOf = (shifts: (number | null)[]) =>
    compareWithBudgets({
      ...{ ...EMPTY, worker: { gzip: 1 } },
      paint: shifts.map((CLS) => ({ page: "/services", CLS })),
    }).find(({ budget }) => String(budget).startsWith("Layout shift"));
  expect(verdictOf([0, 0.03])).toMatchObject({ measured: 0.03, verdict: "OVER THE LIMIT" });
  expect(verdictOf([0.03, null])).toMatchObject({ measured: null, verdict: "NOT MEASURED" });
});
