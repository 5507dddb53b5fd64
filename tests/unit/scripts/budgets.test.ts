import { expect, test } from "vitest";
import { blockedTime } from "../../../scripts/lib/measure/blocked-time.mjs";
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

test("a page of which the browser did not say how long it was blocked is named as not measured, never as a number", () => {
  const url = "http://localhost:8787/";
  const own = { pid: 7, tid: 1 };
  const parsed = { name: "ParseHTML", ...own, args: { beginData: { url } } };
  const tasks = [{ tdur: 30_000 }, { tdur: 5_000 }].map((task) => ({ name: "RunTask", ...own, ...task }));
  const elsewhere = { name: "RunTask", pid: 8, tid: 1 };
  const blocked = (events: object[]) => blockedTime([parsed, ...tasks, elsewhere, ...events], { url, slowdown: 4 });
  expect(blocked([])).toBe(70);
  expect(blocked([{ name: "RunTask", ...own }])).toBeNull();

  const verdictOf = (rows: (number | null)[]) =>
    compareWithBudgets({
      ...{ ...EMPTY, worker: { gzip: 1 } },
      mainThread: rows.map((milliseconds) => ({ page: "/", "blocked ms": milliseconds })),
    }).find((row) => row?.budget.startsWith("Main thread"));
  expect(verdictOf([0, 70])).toMatchObject({ measured: 70, verdict: "OVER THE LIMIT" });
  expect(verdictOf([70, null])).toMatchObject({ measured: null, verdict: "NOT MEASURED" });
});
