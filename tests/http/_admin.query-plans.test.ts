import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { EVERYTHING } from "~/features/archives/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { erasePerson } from "~/features/privacy/erase-person.server";
import { applyRetention } from "~/features/privacy/retention.server";
import { raiseAlerts } from "~/features/security/alerts.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { sendDailySummary } from "~/jobs/send-daily-summary.server";
import { minutes } from "~/lib/time";
import * as layoutRoute from "~/routes/_admin";
import * as dashboardRoute from "~/routes/_admin.admin._index";
import * as analyticsRoute from "~/routes/_admin.admin.analytics._index";
import * as rowsRoute from "~/routes/_admin.admin.analytics.rows";
import * as personFileRoute from "~/routes/_admin.admin.exports.person[.]zip";
import * as notificationsRoute from "~/routes/_admin.admin.notifications";
import * as privacyRoute from "~/routes/_admin.admin.privacy._index";
import * as privacyOfPersonRoute from "~/routes/_admin.admin.privacy.$personId";
import * as consentsRoute from "~/routes/_admin.admin.privacy.consents";
import * as purgeRoute from "~/routes/_admin.admin.privacy.purge";
import * as reportsRoute from "~/routes/_admin.admin.reports";
import * as settingsRoute from "~/routes/_admin.admin.settings";
import * as listRoute from "~/routes/_admin.admin.submissions._index";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import * as deleteRoute from "~/routes/_admin.admin.submissions.delete";
import { openedArchive } from "../support/archives";
import { as, makePerson, makeSubmission } from "../support/factories";
import { pageAt } from "../support/page";
import { expectNoScan, recordedContext } from "../support/recorded-database";
import type { Fields } from "../support/requests";

const LIST = "/admin/submissions";
const layout = pageAt("/admin", layoutRoute);
const list = pageAt(LIST, listRoute);
const record = pageAt("/admin/submissions/:submissionId", recordRoute);

/** Creates a member of staff whose database records its statements, and a submission to work on. */
async function recordedStaffMember() {
  const { context, statements: asked } = recordedContext();
  const ctx = as(context, await makePerson(context, { role: "admin", withTotp: true }));
  const submission = await makeSubmission(ctx);
  asked.clear();
  return { ctx, asked, submission };
}

test("dashboard, notifications and one submission read no table from end to end", async () => {
  const { ctx, asked, submission } = await recordedStaffMember();
  await commit(ctx.db, [
    recordAudit(ctx, "submission.exported", { subject: { type: "submission", id: null, label: null } }),
  ]);
  await layout.open(ctx);
  await pageAt("/admin/notifications", notificationsRoute).open(ctx);
  await pageAt("/admin", dashboardRoute).open(ctx);
  await record.open(ctx, `${LIST}/${submission.id}`);
  await expectNoScan(asked, 13);
});

test("no change of one submission or of many reads a table from end to end", async () => {
  const { ctx, asked, submission } = await recordedStaffMember();
  const row = [`${submission.id}.1`];
  const fields = { status: "contacted", scope: "selected", read_at: String(ctx.now() + minutes(1)) };
  const postToList = async (own: Fields) =>
    expect((await list.send(ctx, LIST, "submission-list", { ...fields, ...own })).status).toBe(303);
  await postToList({ intent: "bulk-status", row });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
  await postToList({ intent: "status", save: `0.${submission.id}`, status: "new" });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "new" });
  const [held, spam] = [
    await makeSubmission(ctx, { moderationReason: "content" }),
    await makeSubmission(ctx, { moderationReason: "content" }),
  ];
  await postToList({ intent: "release", id: held.id });
  await postToList({ intent: "bulk-release", row: `${spam.id}.1` });
  for (const { id } of [held, spam]) expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null });
  const path = `${LIST}/${submission.id}`;
  const { tokens } = await record.read(ctx, path);
  const sent: [keyof typeof tokens, Record<string, string>][] = [
    ["note", { note: "Call back" }],
    ["handling", { status: "resolved", owner: "", follow_up_on: "2026-12-01" }],
    ["reply", { message: "We will call on Monday." }],
  ];
  for (const [intent, own] of sent) {
    const answer = await record.post(ctx, path, { intent, form_token: tokens[intent] ?? "", ...own });
    expect(answer.status, intent).toBe(303);
  }
  const deletion = pageAt(`${LIST}/delete`, deleteRoute);
  const chosen = { ...fields, intent: "choose", row: `${held.id}.2` };
  const { token } = await (await deletion.send(ctx, `${LIST}/delete`, "submission-list", chosen)).json();
  await deletion.post(ctx, `${LIST}/delete`, { intent: "delete", form_token: token, row: `${held.id}.2` });
  expect(await findSubmission(ctx.db, held.id)).toBeNull();
  await expectNoScan(asked, 30);
});

test("figures, reports, settings, privacy and their jobs read no table from end to end", async () => {
  const { ctx, asked } = await recordedStaffMember();
  const person = await makePerson(ctx);
  const request = await makeSubmission(ctx, { email: person.email });
  const ownEvent = { of: "created", from: "2026-11-01", to: "2026-11-18" };
  await pageAt("/admin/analytics", analyticsRoute).open(ctx, "/admin/analytics?range=365");
  await pageAt("/admin/analytics/rows", rowsRoute).open(ctx, `/admin/analytics/rows?${new URLSearchParams(ownEvent)}`);
  for (const type of ["summary", "users", "performance"])
    await pageAt("/admin/reports", reportsRoute).open(ctx, `/admin/reports?type=${type}`);
  for (const tab of ["account", "notifications", "data", "advanced"])
    await pageAt("/admin/settings", settingsRoute).open(ctx, `/admin/settings?tab=${tab}`);
  await pageAt("/admin/privacy", privacyRoute).open(ctx, `/admin/privacy?q=${person.email}`);
  await pageAt("/admin/privacy/consents", consentsRoute).open(ctx);
  for (const { id } of [person, request])
    await pageAt("/admin/privacy/:personId", privacyOfPersonRoute).open(ctx, `/admin/privacy/${id}`);
  const personFile = pageAt("/admin/exports/person.zip", personFileRoute);
  const file = (await personFile.open(ctx, `/admin/exports/person.zip?person=${person.id}`)) as Response;
  await file.arrayBuffer();
  const admin = ctx.signedIn as Parameters<typeof erasePerson>[1];
  await openedArchive(ctx, { ...admin, membership: null }, { organizationId: EVERYTHING, isInternal: true });
  await raiseAlerts(ctx);
  await applyRetention(ctx);
  await pageAt("/admin/privacy/purge", purgeRoute).open(ctx, "/admin/privacy/purge?days=60");
  await sendDailySummary(ctx);
  expect((await erasePerson(ctx, admin, { personId: person.id, nonce: "plans" })).ok).toBe(true);
  await ctx.settle();
  await expectNoScan(asked, 40, ["ticket_messages", "ticket_events", "ticket_metrics", "daily_metrics"]);
});
