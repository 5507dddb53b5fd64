import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as layout } from "~/routes/_admin";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { loader as notifications } from "~/routes/_admin.admin.notifications";
import { action as change } from "~/routes/_admin.admin.submissions._index";
import { action as act, loader as record } from "~/routes/_admin.admin.submissions.$submissionId";
import { action as remove } from "~/routes/_admin.admin.submissions.delete";
import { bulk } from "../support/admin-area";
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
    await makeSubmission(ctx, { heldReason: "content" }),
    await makeSubmission(ctx, { heldReason: "content" }),
  ];
  await postToList({ intent: "release", id: held.id });
  await postToList({ intent: "bulk-release" }, [`${spam.id}.1`]);
  for (const { id } of [held, spam]) expect(await findSubmission(ctx.db, id)).toMatchObject({ heldReason: null });
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
