import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { deleteSubmissions } from "~/features/submissions/list/commands.server";
import type { SubmissionStatus } from "~/features/submissions/model";
import { findSubmission } from "~/features/submissions/queries.server";
import { replyToSubmission, saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { listStatusChanges, listTimeline } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { selectSubmissions } from "../../support/submission-list";

const nonce = () => crypto.randomUUID();

async function twoColleagues() {
  const base = testContext();
  const [avery, jordan] = await Promise.all([
    makePerson(base, { role: "admin", fullName: "Avery Quinn" }),
    makePerson(base, { role: "moderator", fullName: "Jordan Vale" }),
  ]);
  const submission = await makeSubmission(base, { email: "priya@race.example" });
  const moveByJordan = (status: SubmissionStatus) =>
    changeSubmissionStatus(as(base, jordan), signedInAs(jordan, base.now()), {
      submissionId: submission.id,
      status,
      nonce: nonce(),
    });
  const deleteByJordan = () =>
    deleteSubmissions(as(base, jordan), {
      selection: selectSubmissions([{ id: submission.id, version: 1 }]),
      nonce: nonce(),
    });
  return { base, ctx: as(base, avery), actor: signedInAs(avery, base.now()), submission, moveByJordan, deleteByJordan };
}

/** Returns who moved the submission from where to where: as the audit, the history and the live events have it. */
async function movesOf({ db }: Ctx, id: string) {
  const [audit, history, events] = await Promise.all([
    db.select().from(auditEvents).where(eq(auditEvents.subject_id, id)).orderBy(asc(auditEvents.id)),
    listStatusChanges(db, id),
    db.select().from(liveEvents).where(eq(liveEvents.subject_id, id)).orderBy(asc(liveEvents.seq)),
  ]);
  return {
    audit: audit
      .filter(({ action }) => action === "submission.status_changed")
      .map(({ actor_name, meta_json }) => ({ actor: actor_name, ...JSON.parse(meta_json ?? "{}") })),
    history: history.map(({ to, actor }) => ({ actor, to })),
    labels: events.map(({ label }) => label),
    actions: audit.map(({ action }) => action),
  };
}

test("a reply to a submission that a colleague has just resolved is sent once and moves nothing", async () => {
  const { base, ctx, actor, submission, moveByJordan } = await twoColleagues();
  const late = interruptedBeforeCommit(ctx, () => moveByJordan("resolved"));
  const reply = { submissionId: submission.id, message: "Monday works.", contacted: true, nonce: nonce() };
  expect(await replyToSubmission(late, actor, reply)).toEqual(ok(expect.stringMatching(/^srp_/)));
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual(["priya@race.example"]);
  const timeline = await listTimeline(ctx.db, submission.id);
  expect(timeline.map(({ kind, actor: name }) => [kind, name]).sort()).toEqual([
    ["reply", "Avery Quinn"],
    ["status", "Jordan Vale"],
  ]);
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "resolved" });
  expect(await movesOf(ctx, submission.id)).toEqual({
    audit: [{ actor: "Jordan Vale", from: "new", to: "resolved" }],
    history: [{ actor: "Jordan Vale", to: "resolved" }],
    labels: [expect.stringMatching(/: Resolved$/)],
    actions: ["submission.status_changed", "submission.replied"],
  });
});

test("a reply tells of the move to contacted in history, audit and live event", async () => {
  const { ctx, actor, submission } = await twoColleagues();
  const reply = { submissionId: submission.id, message: "Monday works.", contacted: true, nonce: nonce() };
  await replyToSubmission(ctx, actor, reply);
  expect(await movesOf(ctx, submission.id)).toEqual({
    audit: [{ actor: "Avery Quinn", from: "new", to: "contacted" }],
    history: [{ actor: "Avery Quinn", to: "contacted" }],
    labels: [expect.stringMatching(/: Contacted$/)],
    actions: ["submission.replied", "submission.status_changed"],
  });
});

test("a move that a colleague overtakes is told from where it really began, in history and audit alike", async () => {
  const { ctx, actor, submission, moveByJordan } = await twoColleagues();
  const late = interruptedBeforeCommit(ctx, () => moveByJordan("contacted"));
  await changeSubmissionStatus(late, actor, { submissionId: submission.id, status: "resolved", nonce: nonce() });
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id));
  expect(events.map(({ meta_json }) => JSON.parse(meta_json ?? "{}"))).toEqual([
    { from: "new", to: "contacted" },
    { from: "contacted", to: "resolved" },
  ]);
  expect(events.map(({ search_text }) => search_text.split("\n").slice(1))).toEqual([
    ["jordan vale changed the status of a submission", expect.stringMatching(/^new to contacted \S+@/)],
    ["avery quinn changed the status of a submission", expect.stringMatching(/^contacted to resolved \S+@/)],
  ]);
  const stored = await ctx.db.all<{ from_status: string; to_status: string }>(
    `SELECT from_status, to_status FROM submission_events WHERE submission_id = '${submission.id}' ORDER BY rowid`,
  );
  expect(stored).toEqual([
    { from_status: "new", to_status: "contacted" },
    { from_status: "contacted", to_status: "resolved" },
  ]);
});

test("a reply to a submission that a colleague has just deleted finds it gone and sends nothing", async () => {
  const { base, ctx, actor, submission, deleteByJordan } = await twoColleagues();
  const late = interruptedBeforeCommit(ctx, deleteByJordan);
  const reply = { submissionId: submission.id, message: "Monday works.", contacted: true, nonce: nonce() };
  expect(await replyToSubmission(late, actor, reply)).toEqual(fail("submission_not_found"));
  await base.settle();
  expect(base.sent).toEqual([]);
});

test("a submission that a colleague has just deleted cannot be assigned", async () => {
  const { ctx, actor, submission, deleteByJordan } = await twoColleagues();
  const late = interruptedBeforeCommit(ctx, deleteByJordan);
  const assignment = { submissionId: submission.id, ownerId: actor.userId, followUpOn: null, nonce: nonce() };
  expect(await saveSubmissionProperties(late, actor, assignment)).toEqual(fail("submission_not_found"));
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id));
  expect(events).toEqual([]);
});
