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
import { issueFormToken } from "~/platform/form-token.server";
import { loader as layout } from "~/routes/_admin";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { loader as analytics } from "~/routes/_admin.admin.analytics._index";
import { loader as rows } from "~/routes/_admin.admin.analytics.rows";
import { loader as personFile } from "~/routes/_admin.admin.exports.person[.]zip";
import { loader as notifications } from "~/routes/_admin.admin.notifications";
import { loader as privacy } from "~/routes/_admin.admin.privacy._index";
import { loader as privacyOfPerson } from "~/routes/_admin.admin.privacy.$personId";
import { loader as consents } from "~/routes/_admin.admin.privacy.consents";
import { loader as purge } from "~/routes/_admin.admin.privacy.purge";
import { loader as reports } from "~/routes/_admin.admin.reports";
import { loader as settings } from "~/routes/_admin.admin.settings";
import { action as change } from "~/routes/_admin.admin.submissions._index";
import { action as act, loader as record } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as remove } from "~/routes/_admin.admin.submissions.delete";
import { bulk } from "../support/admin-area";
import { openedArchive } from "../support/archives";
import { as, makePerson, makeSubmission } from "../support/factories";
import { expectNoScan, recordedContext } from "../support/recorded-database";
import { args, get } from "../support/requests";

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
  await layout(args(ctx, get("/admin"), {}));
  await notifications(args(ctx, get("/admin/notifications"), {}));
  await dashboard(args(ctx, get("/admin"), {}));
  await record(args(ctx, get(`/admin/submissions/${submission.id}`), { submissionId: submission.id }));
  await expectNoScan(asked, 13);
});

test("no change of one submission or of many reads a table from end to end", async () => {
  const { ctx, asked, submission } = await recordedStaffMember();
  const row = [`${submission.id}.1`];
  const fields = { status: "contacted", scope: "selected", read_at: String(ctx.now() + minutes(1)) };
  // A token runs one action only, so each post has its own.
  const form_token = () => issueFormToken(ctx, "submission-list");
  const postToList = async (own: Record<string, string>, rows: readonly string[] = []) => {
    const answer = await change(
      args(ctx, bulk("/admin/submissions", { ...fields, form_token: form_token(), ...own }, rows), {}),
    );
    expect(answer.status, own.intent).toBe(303);
  };
  await postToList({ intent: "bulk-status" }, row);
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
  await postToList({ intent: "status", save: `0.${submission.id}`, status: "new" });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "new" });
  const [held, spam] = [
    await makeSubmission(ctx, { moderationReason: "content" }),
    await makeSubmission(ctx, { moderationReason: "content" }),
  ];
  await postToList({ intent: "release", id: held.id });
  await postToList({ intent: "bulk-release" }, [`${spam.id}.1`]);
  for (const { id } of [held, spam]) expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null });
  const params = { submissionId: submission.id };
  const path = `/admin/submissions/${submission.id}`;
  const { tokens } = await (await record(args(ctx, get(path), params))).json();
  const sent: [keyof typeof tokens, Record<string, string>][] = [
    ["note", { note: "Call back" }],
    ["handling", { status: "resolved", owner: "", follow_up_on: "2026-12-01" }],
    ["reply", { message: "We will call on Monday." }],
  ];
  for (const [intent, own] of sent) {
    const answer = await act(args(ctx, bulk(path, { intent, form_token: tokens[intent] ?? "", ...own }, []), params));
    expect(answer.status, intent).toBe(303);
  }
  const question = await remove(
    args(
      ctx,
      bulk("/admin/submissions/delete", { ...fields, form_token: form_token(), intent: "choose" }, [`${held.id}.2`]),
      {},
    ),
  );
  const { token } = await question.json();
  await remove(
    args(ctx, bulk("/admin/submissions/delete", { intent: "delete", form_token: token }, [`${held.id}.2`]), {}),
  );
  expect(await findSubmission(ctx.db, held.id)).toBeNull();
  await expectNoScan(asked, 30);
});

test("figures, reports, settings, privacy and their jobs read no table from end to end", async () => {
  const { ctx, asked } = await recordedStaffMember();
  const person = await makePerson(ctx);
  const request = await makeSubmission(ctx, { email: person.email });
  const ownEvent = { of: "created", from: "2026-11-01", to: "2026-11-18" };
  await analytics(args(ctx, get("/admin/analytics?range=365"), {}));
  await rows(args(ctx, get(`/admin/analytics/rows?${new URLSearchParams(ownEvent)}`), {}));
  for (const type of ["summary", "users", "performance"])
    await reports(args(ctx, get(`/admin/reports?type=${type}`), {}));
  for (const tab of ["account", "notifications", "data", "advanced"])
    await settings(args(ctx, get(`/admin/settings?tab=${tab}`), {}));
  await privacy(args(ctx, get(`/admin/privacy?q=${person.email}`), {}));
  await consents(args(ctx, get("/admin/privacy/consents"), {}));
  await privacyOfPerson(args(ctx, get(`/admin/privacy/${person.id}`), { personId: person.id }));
  await privacyOfPerson(args(ctx, get(`/admin/privacy/${request.id}`), { personId: request.id }));
  const file = (await personFile(args(ctx, get(`/admin/exports/person.zip?person=${person.id}`), {}))) as Response;
  await file.arrayBuffer();
  const admin = ctx.signedIn as Parameters<typeof erasePerson>[1];
  await openedArchive(ctx, { ...admin, membership: null }, { organizationId: EVERYTHING, isInternal: true });
  await raiseAlerts(ctx);
  await applyRetention(ctx);
  await purge(args(ctx, get("/admin/privacy/purge?days=60"), {}));
  await sendDailySummary(ctx);
  const actor = ctx.signedIn as Parameters<typeof erasePerson>[1];
  expect((await erasePerson(ctx, actor, { personId: person.id, nonce: "plans" })).ok).toBe(true);
  await ctx.settle();
  await expectNoScan(asked, 40, ["ticket_messages", "ticket_events", "ticket_metrics", "daily_metrics"]);
});
