import { asc, desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges, listTimeline } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.submissions.$submissionId";
import { readFeed } from "../../support/activity";
import { flash } from "../../support/admin-area";
import { makeSubmission } from "../../support/factories";
import { args, newForm, post } from "../../support/requests";
import { handlingOf, submissionStaff } from "../../support/submissions";

async function staffMember() {
  const avery = await submissionStaff();
  return { ...avery, id: (await makeSubmission(avery.base)).id };
}

test("the status of a submission that does not exist cannot be changed", async () => {
  const { setStatus } = await staffMember();
  expect(await setStatus("sub_unknown", "resolved")).toEqual(fail("submission_not_found"));
});

test("a move is told by the record, its history, the counts, the audit and the live event", async () => {
  const { ctx, actor, id, setStatus, base } = await staffMember();
  const before = await countSubmissions(ctx.db);
  await setStatus(id, "contacted");
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "contacted" });
  expect(await listStatusChanges(ctx.db, id)).toMatchObject([{ to: "contacted", actor: "Avery Quinn" }]);
  const after = await countSubmissions(ctx.db);
  expect(after).toEqual({ ...before, new: before.new - 1, contacted: before.contacted + 1 });
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(JSON.parse(event?.meta_json ?? "{}")).toEqual({ from: "new", to: "contacted" });
  const [liveEvent] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(liveEvent).toMatchObject({ type: "status_update", subject_id: id, actor_id: actor.userId });
  await base.settle();
  expect(base.notified).toEqual(["staff"]);
});

test("two people who move it at once both stand in the history, each from where it was at that moment", async () => {
  const { ctx, id, setStatus } = await staffMember();
  const before = await countSubmissions(ctx.db);
  await Promise.all([setStatus(id, "contacted"), setStatus(id, "resolved")]);
  const changes = await listStatusChanges(ctx.db, id);
  expect(changes.map((change) => change.to).sort()).toEqual(["contacted", "resolved"]);
  const final = await findSubmission(ctx.db, id);
  const after = await countSubmissions(ctx.db);
  expect(after).toEqual({ ...before, new: before.new - 1, [final?.status ?? ""]: before[final?.status ?? "new"] + 1 });
});

test("a double click and two people who set the same status at once are one change, one audit event and one live event", async () => {
  const { ctx, id, setStatus } = await staffMember();
  const before = (await ctx.db.select().from(liveEvents)).length;
  const clicked = newForm();
  const forms = [clicked, clicked, newForm(), newForm()];
  await Promise.all(forms.map((form) => setStatus(id, "resolved", form)));
  // A status that it already has leaves no trace either.
  await setStatus(id, "resolved");
  expect(await listStatusChanges(ctx.db, id)).toHaveLength(1);
  expect((await ctx.db.select().from(liveEvents)).length).toBe(before + 1);
  expect(await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id))).toHaveLength(1);
});

test("a page restored by Back may set another status with the token it has, and a late post of the first says that it was changed since", async () => {
  const { ctx, id, setStatus } = await staffMember();
  const token = newForm();
  await setStatus(id, "contacted", token);
  await setStatus(id, "resolved", token);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "resolved" });
  await setStatus(id, "new");
  expect(await setStatus(id, "resolved", token)).toEqual(fail("changed_since"));
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});

async function twoColleagues() {
  const avery = await submissionStaff();
  const jordan = await submissionStaff(avery.base, { role: "moderator", fullName: "Jordan Vale" });
  const { id } = await makeSubmission(avery.base, { email: "priya@race.example" });
  return { base: avery.base, ctx: avery.ctx, avery, jordan, id };
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
  const { base, ctx, avery, jordan, id } = await twoColleagues();
  const late = avery.interruptedBy(() => jordan.setStatus(id, "resolved"));
  expect(await late.reply(id)).toEqual(ok(expect.stringMatching(/^srp_/)));
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual(["priya@race.example"]);
  const timeline = await listTimeline(ctx.db, id);
  expect(timeline.map(({ kind, actor: name }) => [kind, name]).sort()).toEqual([
    ["reply", "Avery Quinn"],
    ["status", "Jordan Vale"],
  ]);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "resolved" });
  expect(await movesOf(ctx, id)).toEqual({
    audit: [{ actor: "Jordan Vale", from: "new", to: "resolved" }],
    history: [{ actor: "Jordan Vale", to: "resolved" }],
    labels: [expect.stringMatching(/: Resolved$/)],
    actions: ["submission.status_changed", "submission.replied"],
  });
});

test("a reply tells of the move to contacted in history, audit and live event", async () => {
  const { ctx, avery, id } = await twoColleagues();
  await avery.reply(id);
  expect(await movesOf(ctx, id)).toEqual({
    audit: [{ actor: "Avery Quinn", from: "new", to: "contacted" }],
    history: [{ actor: "Avery Quinn", to: "contacted" }],
    labels: [expect.stringMatching(/: Contacted$/)],
    actions: ["submission.replied", "submission.status_changed"],
  });
});

test("a move that a colleague overtakes is told from where it really began, in history and audit alike", async () => {
  const { ctx, avery, jordan, id } = await twoColleagues();
  await avery.interruptedBy(() => jordan.setStatus(id, "contacted")).setStatus(id, "resolved");
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
  expect(events.map(({ meta_json }) => JSON.parse(meta_json ?? "{}"))).toEqual([
    { from: "new", to: "contacted" },
    { from: "contacted", to: "resolved" },
  ]);
  expect(events.map(({ search_text }) => search_text.split("\n").slice(1))).toEqual([
    ["jordan vale changed the status of a submission", expect.stringMatching(/^new to contacted \S+@/)],
    ["avery quinn changed the status of a submission", expect.stringMatching(/^contacted to resolved \S+@/)],
  ]);
  const stored = await ctx.db.all<{ from_status: string; to_status: string }>(
    `SELECT from_status, to_status FROM submission_events WHERE submission_id = '${id}' ORDER BY rowid`,
  );
  expect(stored).toEqual([
    { from_status: "new", to_status: "contacted" },
    { from_status: "contacted", to_status: "resolved" },
  ]);
});

test("a submission that a colleague has just deleted is neither answered nor assigned", async () => {
  const { base, ctx, avery, jordan } = await twoColleagues();
  for (const late of [
    (by: typeof avery, id: string) => by.reply(id),
    (by: typeof avery, id: string) => by.save(id, { ownerId: avery.actor.userId, followUpOn: null }),
  ]) {
    const submission = await makeSubmission(base);
    const overtaken = { ...avery, ...avery.interruptedBy(() => jordan.remove([submission])) };
    expect(await late(overtaken, submission.id)).toEqual(fail("submission_not_found"));
    expect(await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id))).toEqual([]);
  }
  await base.settle();
  expect(base.sent).toEqual([]);
});

describe("owner and follow-up", () => {
  async function assignedWork() {
    const { base, avery, jordan, id } = await twoColleagues();
    const handling = () => handlingOf(base, id);
    type Changes = Parameters<typeof avery.save>[1];
    const byAvery = (changes: Changes) => avery.save(id, changes);
    return { base, avery, jordan, id, handling, byAvery, byJordan: (changes: Changes) => jordan.save(id, changes) };
  }

  test("status, owner and date are saved at once, and each change stands in the history", async () => {
    const { base, jordan, id, handling, byAvery } = await assignedWork();
    const change = { status: "contacted", ownerId: jordan.person.id, followUpOn: "2026-12-01" } as const;
    expect(await byAvery(change)).toEqual(ok({ status: true, assignment: true }));
    expect(await byAvery(change)).toEqual(ok({ status: false, assignment: false }));
    expect(await handling()).toEqual(["contacted", jordan.person.id, "2026-12-01"]);
    const timeline = await listTimeline(base.db, id);
    expect(timeline).toMatchObject([
      { kind: "status", to: "contacted" },
      { kind: "assignment", owner: "Jordan Vale", followUpOn: "2026-12-01", ownerChanged: true, followUpChanged: true },
    ]);
  });

  test("what a colleague has changed since is not taken back by a late post, which says so; chosen anew, it is", async () => {
    const { avery, jordan, handling, byAvery, byJordan } = await assignedWork();
    const first = { status: "contacted", ownerId: avery.person.id, nonce: newForm() } as const;
    expect([await byAvery(first), await byAvery(first)]).toEqual([
      ok({ status: true, assignment: true }),
      ok({ status: false, assignment: false }),
    ]);
    await byJordan({ ownerId: jordan.person.id });
    expect(await byAvery(first)).toEqual(fail("changed_since"));
    expect(await handling()).toEqual(["contacted", jordan.person.id, null]);
    expect(await byAvery({ ownerId: avery.person.id, nonce: first.nonce })).toEqual(
      ok({ status: false, assignment: true }),
    );
  });

  test("a colleague's change between read and commit stays where the other one changed something else", async () => {
    const { avery, jordan, id, handling, byJordan } = await assignedWork();
    const late = avery.interruptedBy(() => byJordan({ ownerId: jordan.person.id }));
    await late.save(id, { followUpOn: "2026-12-01" });
    expect(await handling()).toEqual(["new", jordan.person.id, "2026-12-01"]);
  });

  test("the activity says only what was changed: a date set by the owner does not tell that they took it", async () => {
    const { base, avery, byAvery } = await assignedWork();
    const newest = async () => (await readFeed(base.db, "type=submission")).entries[0];
    await byAvery({ ownerId: avery.person.id });
    expect((await newest())?.sentence).toBe("Avery Quinn took this");
    await byAvery({ ownerId: avery.person.id, followUpOn: "2026-12-01" });
    expect(await newest()).toMatchObject({
      sentence: "Avery Quinn set the follow-up",
      details: expect.stringMatching(/: follow up Dec 1$/),
    });
    await byAvery({ ownerId: avery.person.id, followUpOn: null });
    expect((await newest())?.sentence).toBe("Avery Quinn removed the follow-up");
  });

  test("the form saves only what was changed in it, and says so when nothing was", async () => {
    const { base, avery, jordan, id, handling, byJordan } = await assignedWork();
    const { ctx } = avery;
    const path = `/admin/submissions/${id}?status=new`;
    const had = { intent: "handling", had_status: "new", had_owner: "", had_follow_up_on: "" };
    const send = (fields: Record<string, string>) => {
      const form_token = issueFormToken(ctx, "submission-handling");
      return action(args(ctx, post(path, { form_token, ...had, ...fields }), { submissionId: id }));
    };
    await byJordan({ ownerId: jordan.person.id, status: "contacted" });
    base.cookiesSet.length = 0;
    const unchanged = await send({ status: "new", owner: "", follow_up_on: "" });
    expect(unchanged.headers.get("Location")).toBe(path);
    expect(flash(base)).toBe("Nothing changed: Status, owner and follow-up date are as they were.");
    await send({ status: "new", owner: "", follow_up_on: "2026-12-01" });
    expect(await handling()).toEqual(["contacted", jordan.person.id, "2026-12-01"]);
  });
});
