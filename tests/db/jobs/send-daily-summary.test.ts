import { expect, test } from "vitest";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { sendDailySummary } from "~/jobs/send-daily-summary.server";
import { days, hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.settings";
import { staffMember } from "../../support/admin-area";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";
import { args, post } from "../../support/requests";
import { saveSetting } from "../../support/settings";

test("whoever has chosen the summary gets it once, from eight in the morning on; nobody else does", async () => {
  const { ctx, person } = await staffMember("admin");
  await makePerson(ctx, { role: "moderator" });
  const path = "/admin/settings?tab=notifications";
  const form_token = issueFormToken(ctx, ACCOUNT_PURPOSE);
  const answer = await action(args(ctx, post(path, { intent: "save", form_token, mail_daily_summary: "on" })));
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);

  const base = testContext();
  await makeSubmission(base, { status: "new", at: base.now() - days(1) });
  // It is nine in the morning; seven comes first.
  base.clock.advance(-hours(2));
  expect(await sendDailySummary(base)).toEqual({ count: 0 });
  base.clock.advance(hours(1));
  expect(await sendDailySummary(base)).toEqual({ count: 1 });
  expect(await sendDailySummary(base)).toEqual({ count: 0 });
  await deliverOutbox(base);
  expect(base.sent).toMatchObject([{ to: person.email, subject: "Summary of Nov 17" }]);
  expect(base.sent[0]?.text).toMatch(/New submissions:? +1/);
  base.clock.advance(days(1) - hours(8));
  expect(await sendDailySummary(base), "at midnight").toEqual({ count: 0 });
  base.clock.advance(hours(13));
  expect(await sendDailySummary(base), "in the afternoon").toEqual({ count: 0 });
  await saveSetting("mail", { enable_notifications: "" }, "notifications");
  base.clock.advance(days(1) - hours(4));
  expect(await sendDailySummary(base), "switched off for all").toEqual({ count: 0 });
});
