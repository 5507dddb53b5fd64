import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { changeSubmissionStatus } from "~/features/submissions/change-submission-status.server";
import { countSubmissions, findSubmission, listStatusChanges } from "~/features/submissions/queries.server";
import { fail } from "~/lib/result";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/world";

async function desk() {
  const ctx = testContext();
  const avery = await makePerson(ctx, { role: "admin", fullName: "Avery Quinn" });
  const submission = await makeSubmission(ctx);
  return { ctx: as(ctx, avery), actor: signedInAs(avery, ctx.now()), submission, world: ctx };
}

const nonce = () => crypto.randomUUID();

test("a request that does not exist cannot be moved", async () => {
  const { ctx, actor } = await desk();
  const change = { submissionId: "sub_unknown", status: "resolved" as const, nonce: nonce() };
  expect(await changeSubmissionStatus(ctx, actor, change)).toEqual(fail("submission_not_found"));
});

test("a move is told by the record, its history, the counts, the audit and the live note", async () => {
  const { ctx, actor, submission, world } = await desk();
  const before = await countSubmissions(ctx.db);
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "contacted", nonce: nonce() });
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
  expect(await listStatusChanges(ctx.db, submission.id)).toMatchObject([{ to: "contacted", actor: "Avery Quinn" }]);
  const after = await countSubmissions(ctx.db);
  expect(after).toEqual({ ...before, new: before.new - 1, contacted: before.contacted + 1 });
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.object_id, submission.id));
  expect(JSON.parse(event?.meta_json ?? "{}")).toEqual({ from: "new", to: "contacted" });
  const [note] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(note).toMatchObject({ type: "status_update", object_id: submission.id, actor_id: actor.userId });
  await world.settle();
  expect(world.nudged).toEqual(["staff"]);
});

test("a double click moves the request once", async () => {
  const { ctx, actor, submission } = await desk();
  const click = { submissionId: submission.id, status: "resolved" as const, nonce: nonce() };
  await Promise.all([changeSubmissionStatus(ctx, actor, click), changeSubmissionStatus(ctx, actor, click)]);
  expect(await listStatusChanges(ctx.db, submission.id)).toHaveLength(1);
});

test("two people who move it at once both stand in the history, each from where it was at that moment", async () => {
  const { ctx, actor, submission } = await desk();
  await Promise.all([
    changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "contacted", nonce: nonce() }),
    changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "resolved", nonce: nonce() }),
  ]);
  expect(await listStatusChanges(ctx.db, submission.id)).toHaveLength(2);
  const counts = await countSubmissions(ctx.db);
  expect(Object.values(counts).every((count) => count >= 0)).toBe(true);
});

test("setting the status it already has leaves no trace", async () => {
  const { ctx, actor, submission } = await desk();
  await changeSubmissionStatus(ctx, actor, { submissionId: submission.id, status: "new", nonce: nonce() });
  expect(await listStatusChanges(ctx.db, submission.id)).toEqual([]);
});
