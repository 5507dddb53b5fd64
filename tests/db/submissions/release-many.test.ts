import { desc, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { outbox } from "~/db/schema/outbox";
import { deleteSubmissions, releaseSubmission, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { selectSubmissions } from "../../support/submission-list";

async function staffMember() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  return { ctx: as(base, avery), actor: signedInAs(avery, base.now()), base };
}

const nonce = () => crypto.randomUUID();
const fresh = ({ id }: { id: string }) => ({ id, version: 1 });
const held = { moderationReason: "content" } as const;

test("a submission that a colleague deletes while it is released is not said to be released", async () => {
  const { ctx, actor, base } = await staffMember();
  const submission = await makeSubmission(ctx, held);
  const racing = interruptedBeforeCommit(base, () =>
    deleteSubmissions(ctx, { selection: selectSubmissions([fresh(submission)]), nonce: nonce() }),
  );
  const release = { submissionId: submission.id, nonce: nonce() };
  expect(await releaseSubmission(racing, actor, release)).toEqual(fail("submission_not_found"));
});

test("many held submissions are released at once: row, history, audit, counts and both mails of each, one live event", async () => {
  const { ctx, actor, base } = await staffMember();
  const made = [
    await makeSubmission(ctx, { ...held, email: "one@release.example" }),
    await makeSubmission(ctx, { moderationReason: "over_cap", email: "two@release.example", status: "contacted" }),
  ];
  const before = await countSubmissions(ctx.db);
  const notesBefore = (await ctx.db.select().from(liveEvents)).length;
  const release = { selection: selectSubmissions(made.map(fresh)), nonce: nonce() };
  expect(await releaseSubmissions(ctx, actor, release)).toEqual({ changed: 2, skipped: 0 });
  await base.settle();
  expect(await countSubmissions(ctx.db)).toMatchObject({
    new: before.new + 1,
    contacted: before.contacted + 1,
    held: before.held - 2,
  });
  for (const [place, { id }] of made.entries()) {
    expect(await findSubmission(ctx.db, id)).toMatchObject({ moderationReason: null, version: 2 });
    expect(await listStatusChanges(ctx.db, id)).toMatchObject([{ released: true, actor: "Avery Quinn" }]);
    const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
    expect(events).toMatchObject([{ action: "submission.released", actor_id: actor.userId }]);
    expect(JSON.parse(events[0]?.meta_json ?? "")).toEqual({ held: ["content", "over_cap"][place] });
    expect(await ctx.db.select().from(outbox).where(eq(outbox.subject_id, id))).toHaveLength(2);
  }
  const visitors = base.sent.map(({ to }) => to).filter((to) => to.endsWith("@release.example"));
  expect(visitors.sort()).toEqual(["one@release.example", "two@release.example"]);
  expect(base.sent).toHaveLength(4);
  const [liveEvent] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(liveEvent).toMatchObject({
    subject_id: "",
    label: "2 submissions: Released from review",
    actor_id: actor.userId,
  });
  expect((await ctx.db.select().from(liveEvents)).length).toBe(notesBefore + 1);
  expect(base.notified).toEqual(["staff"]);
});

test("two who release the same submissions at once send each mail once", async () => {
  const { ctx, actor } = await staffMember();
  const made = [await makeSubmission(ctx, held), await makeSubmission(ctx, held), await makeSubmission(ctx, held)];
  const [first, second, third] = made.map(fresh);
  if (!first || !second || !third) throw new Error("three were made");
  const outcomes = await Promise.all([
    releaseSubmissions(ctx, actor, { selection: selectSubmissions([first, second]), nonce: nonce() }),
    releaseSubmissions(ctx, actor, { selection: selectSubmissions([second, third]), nonce: nonce() }),
    releaseSubmission(ctx, actor, { submissionId: second.id, nonce: nonce() }),
  ]);
  // Each of the two releases its own for certain; the one they share counts for one of them, or for the third.
  const [left, right, single] = outcomes;
  expect(left.changed).toBeGreaterThanOrEqual(1);
  expect(right.changed).toBeGreaterThanOrEqual(1);
  expect(left.changed + right.changed).toBeLessThanOrEqual(3);
  expect(single).toEqual(ok(null));
  const ids = made.map(({ id }) => id);
  expect(await ctx.db.select().from(outbox).where(inArray(outbox.subject_id, ids))).toHaveLength(6);
  for (const id of ids) expect(await listStatusChanges(ctx.db, id)).toHaveLength(1);
});

test("what has changed since the list was read stays held and is said, and ids nobody knows are ignored", async () => {
  const { ctx, actor, base } = await staffMember();
  const [stale, plain, fine] = [
    await makeSubmission(ctx, held),
    await makeSubmission(ctx),
    await makeSubmission(ctx, held),
  ];
  await saveSubmissionProperties(ctx, actor, {
    submissionId: stale.id,
    ownerId: null,
    followUpOn: "2026-12-01",
    nonce: nonce(),
  });
  const selected = [stale, plain, fine].map(fresh).concat({ id: "sub_unknown", version: 1 });
  const release = { selection: selectSubmissions(selected), nonce: nonce() };
  expect(await releaseSubmissions(ctx, actor, release)).toEqual({ changed: 1, skipped: 2 });
  expect(await findSubmission(ctx.db, stale.id)).toMatchObject({ moderationReason: "content" });
  expect(await findSubmission(ctx.db, plain.id)).toMatchObject({ version: 1 });
  expect(await releaseSubmissions(ctx, actor, release)).toEqual({ changed: 1, skipped: 2 });
  await base.settle();
  expect(base.sent).toHaveLength(2);
  expect(await listStatusChanges(ctx.db, fine.id)).toHaveLength(1);
});

test("five hundred held submissions with long messages are released in one batch, and their mails begin to leave", async () => {
  const { ctx, actor, base } = await staffMember();
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, held_reason, message)
    SELECT 'sub_held' || i, 1, 1, 950000 + i, 'A', 'B', 'held' || i || '@b.example', 'new', 1, 1, 'x', 'x', 'a b',
      'over_cap', replace(hex(zeroblob(4000)), '0', 'é') FROM n`);
  const selected = Array.from({ length: 500 }, (_, place) => ({ id: `sub_held${place + 1}`, version: 1 }));
  const trips = ctx.cost.trips;
  expect(await releaseSubmissions(ctx, actor, { selection: selectSubmissions(selected), nonce: nonce() })).toEqual({
    changed: 500,
    skipped: 0,
  });
  expect(ctx.cost.trips - trips).toBeLessThanOrEqual(4);
  const queued = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      inArray(
        outbox.subject_id,
        selected.slice(0, 50).map(({ id }) => id),
      ),
    );
  expect(queued).toHaveLength(100);
  await base.settle();
  // One run sends twenty mails; the schedule takes care of the rest.
  expect(base.sent).toHaveLength(20);
  expect(base.sent.every(({ subject }) => subject.length > 0)).toBe(true);
});
