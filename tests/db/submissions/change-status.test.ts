import { asc, desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { deleteSubmissions } from "~/features/submissions/list/commands.server";
import type { SubmissionStatus } from "~/features/submissions/model";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { replyToSubmission, saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { listStatusChanges, listTimeline } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.submissions.$submissionId";
import { readFeed } from "../../support/activity";
import { flash } from "../../support/admin-area";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { args, post } from "../../support/requests";
import { selectSubmissions } from "../../support/submission-list";

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

describe("owner and follow-up", () => {
  async function twoColleagues() {
    const base = testContext();
    const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
    const jordan = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
    const submission = await makeSubmission(base);
    const save =
      (person: typeof avery) =>
      (change: Omit<Parameters<typeof saveSubmissionProperties>[2], "submissionId" | "nonce"> & { nonce?: string }) =>
        saveSubmissionProperties(as(base, person), signedInAs(person, base.now()), {
          submissionId: submission.id,
          nonce: crypto.randomUUID(),
          ...change,
        });
    return { base, avery, jordan, submission, byAvery: save(avery), byJordan: save(jordan) };
  }

  test("status, owner and date are saved at once, and each change stands in the history", async () => {
    const { base, jordan, submission, byAvery } = await twoColleagues();
    const change = { status: "contacted", ownerId: jordan.id, followUpOn: "2026-12-01" } as const;
    expect(await byAvery(change)).toEqual(ok({ status: true, assignment: true }));
    expect(await byAvery(change)).toEqual(ok({ status: false, assignment: false }));
    expect(await findSubmission(base.db, submission.id)).toMatchObject({
      status: "contacted",
      owner: { id: jordan.id },
      followUpOn: "2026-12-01",
    });
    const timeline = await listTimeline(base.db, submission.id);
    expect(timeline).toMatchObject([
      { kind: "status", to: "contacted" },
      { kind: "assignment", owner: "Jordan Vale", followUpOn: "2026-12-01", ownerChanged: true, followUpChanged: true },
    ]);
  });

  test("what a colleague has changed since is not taken back by a late post, which says so; chosen anew, it is", async () => {
    const { base, avery, jordan, submission, byAvery, byJordan } = await twoColleagues();
    const nonce = crypto.randomUUID();
    const first = { status: "contacted", ownerId: avery.id, nonce } as const;
    expect([await byAvery(first), await byAvery(first)]).toEqual([
      ok({ status: true, assignment: true }),
      ok({ status: false, assignment: false }),
    ]);
    await byJordan({ ownerId: jordan.id });
    expect(await byAvery(first)).toEqual(fail("changed_since"));
    expect(await findSubmission(base.db, submission.id)).toMatchObject({
      status: "contacted",
      owner: { id: jordan.id },
    });
    expect(await byAvery({ ownerId: avery.id, nonce })).toEqual(ok({ status: false, assignment: true }));
  });

  test("a colleague's change between read and commit stays where the other one changed something else", async () => {
    const { base, avery, jordan, submission, byJordan } = await twoColleagues();
    const late = interruptedBeforeCommit(as(base, avery), async () => {
      await byJordan({ ownerId: jordan.id });
    });
    await saveSubmissionProperties(late, signedInAs(avery, base.now()), {
      submissionId: submission.id,
      followUpOn: "2026-12-01",
      nonce: crypto.randomUUID(),
    });
    expect(await findSubmission(base.db, submission.id)).toMatchObject({
      owner: { id: jordan.id },
      followUpOn: "2026-12-01",
    });
  });

  test("the activity says only what was changed: a date set by the owner does not tell that they took it", async () => {
    const { base, avery, byAvery } = await twoColleagues();
    const newest = async () => (await readFeed(base.db, "type=submission")).entries[0];
    await byAvery({ ownerId: avery.id });
    expect((await newest())?.sentence).toBe("Avery Quinn took this");
    await byAvery({ ownerId: avery.id, followUpOn: "2026-12-01" });
    expect(await newest()).toMatchObject({
      sentence: "Avery Quinn set the follow-up",
      details: expect.stringMatching(/: follow up Dec 1$/),
    });
    await byAvery({ ownerId: avery.id, followUpOn: null });
    expect((await newest())?.sentence).toBe("Avery Quinn removed the follow-up");
  });

  test("the form saves only what was changed in it, and says so when nothing was", async () => {
    const { base, avery, jordan, submission, byJordan } = await twoColleagues();
    const ctx = as(base, avery);
    const had = { had_status: "new", had_owner: "", had_follow_up_on: "" };
    const send = (fields: Record<string, string>) => {
      const form_token = issueFormToken(ctx, "submission-handling");
      const sent = post(`/admin/submissions/${submission.id}?status=new`, {
        form_token,
        intent: "handling",
        ...had,
        ...fields,
      });
      return action(args(ctx, sent, { submissionId: submission.id }));
    };
    await byJordan({ ownerId: jordan.id, status: "contacted" });
    base.cookiesSet.length = 0;
    const unchanged = await send({ status: "new", owner: "", follow_up_on: "" });
    expect(unchanged.headers.get("Location")).toBe(`/admin/submissions/${submission.id}?status=new`);
    expect(flash(base)).toBe("Nothing changed: Status, owner and follow-up date are as they were.");
    await send({ status: "new", owner: "", follow_up_on: "2026-12-01" });
    expect(await findSubmission(base.db, submission.id)).toMatchObject({
      status: "contacted",
      owner: { id: jordan.id },
      followUpOn: "2026-12-01",
    });
  });
});
