import { expect, test } from "vitest";
import { compareWithBudgets } from "../../../scripts/lib/measure/budgets.mjs";

const EMPTY = { pages: [], data: [], scripts: [], exports: [] };

/** Returns the budgets that a run with this worker bundle, in bytes, has figures for. */
const budgetsOf = (gzip: number) => compareWithBudgets({ ...EMPTY, worker: { gzip } });

test("the bench says of each figure whether it is over the limit, and leaves out what it did not measure", () => {
  const budget = { budget: "Bundle of the worker, bytes", limit: 1_000_000, goal: 600_000 };
  expect(budgetsOf(600_000)).toEqual([{ ...budget, measured: 600_000, verdict: "goal" }]);
  expect(budgetsOf(1_000_000)).toEqual([{ ...budget, measured: 1_000_000, verdict: "within the limit" }]);
  expect(budgetsOf(1_000_001)).toEqual([{ ...budget, measured: 1_000_001, verdict: "OVER THE LIMIT" }]);
});
