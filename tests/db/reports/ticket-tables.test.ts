import { expect, test } from "vitest";
import type { Share, TargetCounts } from "~/features/analytics/model";
import { readMetrics } from "~/features/analytics/queries.server";
import { ticketsTable } from "~/features/reports/report-document";
import { testContext } from "../../support/context";

/** Returns what the rows behind the share of promises and behind the satisfaction are. */
async function rowsBehind(counted: { promises: TargetCounts; satisfaction: Share }) {
  const metrics = await readMetrics(testContext().db, { from: "2026-11-09", to: "2026-11-15" });
  const { rows, rowsTo = [] } = ticketsTable({ ...metrics, ...counted });
  return ["Promises kept", "Satisfaction"].map((figure) => {
    const path = rowsTo[rows.findIndex(([name]) => name === figure)];
    return new URLSearchParams(path?.split("?")[1]).get("of");
  });
}

test("a share leads to the cases that are not good, and only where there are none to the good ones", async () => {
  const none = { promises: { kept: 0, missed: 3 }, satisfaction: { part: 0, n: 3 } };
  const some = { promises: { kept: 2, missed: 1 }, satisfaction: { part: 2, n: 3 } };
  const all = { promises: { kept: 3, missed: 0 }, satisfaction: { part: 3, n: 3 } };
  expect(await rowsBehind(none)).toEqual(["missed", "bad"]);
  expect(await rowsBehind(some)).toEqual(["missed", "bad"]);
  expect(await rowsBehind(all)).toEqual(["kept", "good"]);
});
