import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { submissionEvents } from "~/db/schema/submissions";
import type { Share, TargetCounts } from "~/features/analytics/model";
import { readMetrics } from "~/features/analytics/queries.server";
import { readSubmissionMetrics } from "~/features/reports/metrics.server";
import { ticketsTable } from "~/features/reports/report-document";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";

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

test("answers that came years later are measured day by day once, not once for each of them", async () => {
  const ctx = testContext();
  const sentAt = Date.parse("2022-03-02T15:00:00Z");
  for (let count = 0; count < 10; count += 1) {
    const { id } = await makeSubmission(ctx, { status: "resolved", at: sentAt });
    const event = { submission_id: id, from_status: "new", to_status: "resolved", actor_name: "Sam" };
    await ctx.db.insert(submissionEvents).values({ id: ctx.newId("sev"), ...event, at: ctx.now() });
  }
  await ctx.db.run(sql`UPDATE contact_submissions SET submitted_on = '2022-03-02'`);
  const period = { from: "2022-03-01", to: "2022-03-31" };
  const figuresBy = await readSubmissionMetrics(ctx.db, period, DEFAULT_SETTINGS.timeZone);
  let daysLookedAt = 0;
  const { zone, week, holidays } = siteCalendar(DEFAULT_SETTINGS);
  const counting = {
    zone,
    week,
    get holidays() {
      daysLookedAt += 1;
      return holidays;
    },
  };
  expect(figuresBy(counting).response).toMatchObject({ n: 10 });
  expect(daysLookedAt).toBeLessThan(2_000);
});
