import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { submissionEvents } from "~/db/schema/submissions";
import { readSubmissionMetrics } from "~/features/reports/metrics.server";
import { siteCalendar } from "~/features/settings/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";

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
