import { expect, test } from "vitest";
import { COUNT, metricsOf } from "~/features/analytics/counts";
import { ticketsTable } from "~/features/reports/report-document";

const DAY = "2026-11-11";
const NONE_OPEN = { backlog: [0, 0, 0, 0], unmeasured: 0 } as const;

/** Returns the value of a share in the report of one day, and of what the rows are that it leads to. */
function shareOf(name: string, counts: Record<string, number>) {
  const metrics = metricsOf({ from: DAY, to: DAY, organizationId: null }, [{ day: DAY, counts }], NONE_OPEN);
  const { rows, rowsTo = [] } = ticketsTable(metrics);
  const at = rows.findIndex(([row]) => row === name);
  const path = rowsTo[at];
  return [rows[at]?.[1], path ? new URLSearchParams(path.split("?")[1]).get("of") : null];
}

const created = { [COUNT.created("high")]: 5 };
const resolved = { [COUNT.resolved]: 5 };

test.each([
  ["Resolution Rate", { ...created, ...resolved }, ["100%", "resolved"]],
  ["Resolution Rate", created, ["0%", "created"]],
  ["Reopened", { ...resolved, [COUNT.reopened]: 1 }, ["20%", "reopened"]],
  ["Reopened", resolved, ["0%", "resolved"]],
  ["Satisfaction", { [COUNT.vote("good")]: 5 }, ["100%", "good"]],
  ["Satisfaction", { [COUNT.vote("bad")]: 5 }, ["0%", "bad"]],
  ["Reopened", {}, ["—", null]],
])("%s: a share leads to its cases, to what it is a share of if there are none, nowhere if that is nothing", (name, counts, shown) => {
  expect(shareOf(name, counts)).toEqual(shown);
});
