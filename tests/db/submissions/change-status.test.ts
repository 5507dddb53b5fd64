import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { fail } from "~/lib/errors";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";

async function staffMember() {
  const ctx = testContext();
  const avery = await makePerson(ctx, { role: "admin", fullName: "Avery Quinn" });
  const submission = await makeSubmission(ctx);
  return { ctx: as(ctx, avery), actor: signedInAs(avery, ctx.now()), submission, base: ctx };
}

const nonce = () => crypto.randomUUID();

test("the status of a submission that does not exist cannot be changed", async () => {
  const { ctx, actor } = await staffMember();
  const change = { submissionId: "sub_unknown", status: "resolved" as const, nonce: nonce() };
  expect(await changeSubmissionStatus(ctx, actor, change)).toEqual(fail("submission_not_found"));
});

test("a move is told by the record, its history, the counts, the audit and the live event", async () => {
  const { ctx, actor, submission, base } = await staffMember();
  const before = await countSubmissions(ctx.db);
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "contacted", nonce: nonce() });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
  expect(await listStatusChanges(ctx.db, submission.id)).toMatchObject([{ to: "contacted", actor: "Avery Quinn" }]);
  const after = await countSubmissions(ctx.db);
  expect(after).toEqual({ ...before, new: before.new - 1, contacted: before.contacted + 1 });
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id));
  expect(JSON.parse(event?.meta_json ?? "{}")).toEqual({ from: "new", to: "contacted" });
  const [liveEvent] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(liveEvent).toMatchObject({ type: "status_update", subject_id: submission.id, actor_id: actor.userId });
  await base.settle();
  expect(base.notified).toEqual(["staff"]);
});

test("a double click moves the submission once", async () => {
  const { ctx, actor, submission } = await staffMember();
  const click = { submissionId: submission.id, status: "resolved" as const, nonce: nonce() };
  await Promise.all([changeSubmissionStatus(ctx, actor, click), changeSubmissionStatus(ctx, actor, click)]);
  expect(await listStatusChanges(ctx.db, submission.id)).toHaveLength(1);
});

test("two people who move it at once both stand in the history, each from where it was at that moment", async () => {
  const { ctx, actor, submission } = await staffMember();
  const before = await countSubmissions(ctx.db);
  await Promise.all([
    changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "contacted", nonce: nonce() }),
    changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "resolved", nonce: nonce() }),
  ]);
  const changes = await listStatusChanges(ctx.db, submission.id);
  expect(changes.map((change) => change.to).sort()).toEqual(["contacted", "resolved"]);
  const final = await findSubmission(ctx.db, submission.id);
  const after = await countSubmissions(ctx.db);
  expect(after).toEqual({ ...before, new: before.new - 1, [final?.status ?? ""]: before[final?.status ?? "new"] + 1 });
});

test("three people who set the same status at once are one change, one audit event and one live event", async () => {
  const { ctx, actor, submission } = await staffMember();
  const before = (await ctx.db.select().from(liveEvents)).length;
  const move = () =>
    changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "resolved", nonce: nonce() });
  await Promise.all([move(), move(), move()]);
  expect(await listStatusChanges(ctx.db, submission.id)).toHaveLength(1);
  expect((await ctx.db.select().from(liveEvents)).length).toBe(before + 1);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id));
  expect(events).toHaveLength(1);
});

test("a page restored by Back may set another status with the token it has", async () => {
  const { ctx, actor, submission } = await staffMember();
  const token = nonce();
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "contacted", nonce: token });
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "resolved", nonce: token });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "resolved" });
});

test("a status that a colleague has changed since is not taken back by a late post, which says so", async () => {
  const { ctx, actor, submission } = await staffMember();
  const first = { submissionId: submission.id, status: "contacted", nonce: nonce() } as const;
  await changeSubmissionStatus(ctx, actor, first);
  await changeSubmissionStatus(ctx, actor, { ...first, status: "resolved", nonce: nonce() });
  expect(await changeSubmissionStatus(ctx, actor, first)).toEqual(fail("changed_since"));
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "resolved" });
});

test("setting the status it already has leaves no trace", async () => {
  const { ctx, actor, submission, base } = await staffMember();
  const notes = (await ctx.db.select().from(liveEvents)).length;
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "new", nonce: nonce() });
  await base.settle();
  expect(await listStatusChanges(ctx.db, submission.id)).toEqual([]);
  expect(await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id))).toEqual([]);
  expect((await ctx.db.select().from(liveEvents)).length).toBe(notes);
});
