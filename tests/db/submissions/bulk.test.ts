import { desc, eq, inArray, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { listNotes } from "~/features/notes/queries.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { bulkChangeStatus, deleteSubmissions, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { findNames } from "~/features/submissions/list/read-list.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import { minutes } from "~/lib/time";
import { type Selection, selectionOf } from "~/lists/selection.server";
import { type TestContext, testContext } from "../../support/context";
import { pdf } from "../../support/documents";
import { makePerson, makeSubmission } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { newForm } from "../../support/requests";
import { storeFile } from "../../support/stored-files";
import { listSubmissions } from "../../support/submission-list";
import { contactRequest, submissionStaff } from "../../support/submissions";

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });

const UNKNOWN = { id: "sub_unknown" };

beforeEach(() => testContext().db.delete(outbox));

test("many submissions move at once: record, history, audit and counts of each, one live event for all", async () => {
  const { ctx, actor, setStatusOf, base } = await submissionStaff();
  const made = [await makeSubmission(ctx), await makeSubmission(ctx), await makeSubmission(ctx)];
  const before = await countSubmissions(ctx.db);
  const notesBefore = (await ctx.db.select().from(liveEvents)).length;
  expect(await setStatusOf(made, "contacted")).toEqual({ changed: 3, unchanged: 0, skipped: 0 });
  for (const { id } of made) {
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "contacted", version: 2 });
    expect(await listStatusChanges(ctx.db, id)).toMatchObject([{ to: "contacted", actor: "Avery Quinn" }]);
    const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
    expect(event).toMatchObject({ action: "submission.status_changed", actor_id: actor.userId });
    expect(JSON.parse(event?.meta_json ?? "")).toEqual({ from: "new", to: "contacted" });
  }
  expect(await countSubmissions(ctx.db)).toMatchObject({ new: before.new - 3, contacted: before.contacted + 3 });
  const [liveEvent] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(liveEvent).toMatchObject({ type: "status_update", label: "3 submissions: Contacted", actor_id: actor.userId });
  expect((await ctx.db.select().from(liveEvents)).length).toBe(notesBefore + 1);
  await base.settle();
  expect(base.notified).toEqual(["staff"]);
});

test("what has changed since the list was read is skipped and said, and ids nobody knows are ignored", async () => {
  const { ctx, setStatus, setStatusOf } = await submissionStaff();
  const [stale, kept, already] = [
    await makeSubmission(ctx),
    await makeSubmission(ctx),
    await makeSubmission(ctx, { status: "resolved" }),
  ];
  await setStatus(stale.id, "contacted");
  expect(await setStatusOf([stale, kept, already, UNKNOWN], "resolved")).toEqual({
    changed: 1,
    unchanged: 1,
    skipped: 1,
  });
  expect(await findSubmission(ctx.db, stale.id)).toMatchObject({ status: "contacted" });
  expect(await listStatusChanges(ctx.db, already.id)).toEqual([]);
});

test("staff and owners are told of the submissions that moved, not of those that were skipped", async () => {
  const { ctx, setStatusOf, base } = await submissionStaff();
  const owner = await makePerson(base, { role: "moderator" });
  const [moved, stale] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  await ctx.db
    .update(contactSubmissions)
    .set({ owner_id: owner.id, version: 7 })
    .where(eq(contactSubmissions.id, stale.id));
  const told = async () => ({
    live: (await ctx.db.select().from(liveEvents)).map(({ label }) => label),
    owner: await ctx.db.select().from(notifications).where(eq(notifications.user_id, owner.id)),
  });
  const before = await told();
  expect(await setStatusOf([stale], "resolved")).toEqual({ changed: 0, unchanged: 0, skipped: 1 });
  expect(await told()).toEqual(before);
  expect(await setStatusOf([moved, stale], "resolved")).toEqual({ changed: 1, unchanged: 0, skipped: 1 });
  expect(await told()).toEqual({ live: [...before.live, "1 submission: Resolved"], owner: [] });
});

test("the same bulk form posted twice moves once and answers the same", async () => {
  const { ctx, setStatusOf } = await submissionStaff();
  const made = [await makeSubmission(ctx), await makeSubmission(ctx)];
  const form = newForm();
  const first = await setStatusOf(made, "contacted", form);
  expect(await setStatusOf(made, "contacted", form)).toEqual(first);
  expect(await listStatusChanges(ctx.db, made[0]?.id ?? "")).toHaveLength(1);
});

/** Stores five hundred submissions, and returns them as a list shows them. */
async function fiveHundred(ctx: Pick<TestContext, "db">, name: string, more = sql`NULL, NULL`) {
  await ctx.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text, held_reason, message)
    SELECT 'sub_' || ${name} || i, 1, 1, 900000 + ${name.length} * 1000 + i, 'A', 'B', ${name} || i || '@b.example', 'new', 1, 1,
      'x', 'x', 'a b', ${more} FROM n`);
  return Array.from({ length: 500 }, (_, place) => ({ id: `sub_${name}${place + 1}` }));
}

test("five hundred submissions move in one action", async () => {
  const { ctx, setStatusOf } = await submissionStaff();
  const rows = await fiveHundred(ctx, "plain");
  ctx.cost.trips = 0;
  expect(await setStatusOf(rows, "resolved")).toEqual({ changed: 500, unchanged: 0, skipped: 0 });
  expect(ctx.cost.trips).toBe(3);
});

test("deleting takes notes, history and file along and leaves one audit event with the ids", async () => {
  const { ctx, note, setStatus, remove, base } = await submissionStaff();
  const file = await storeFile(base, { name: "plan.pdf", kind: "pdf", bytes: pdf() });
  await submitContact(base, contactRequest({ first_name: "File", last_name: "Sender" }, { file }));
  const [withFile = { id: "", version: 0 }] = await listSubmissions(ctx.db, "q=file+sender");
  const [stored] = await ctx.db.select().from(attachments);
  await note(withFile.id);
  const changed = await makeSubmission(ctx);
  await setStatus(changed.id, "contacted");
  const form = newForm();
  const deletion = () => remove([withFile, changed], form);
  expect(await deletion()).toEqual({ changed: 1, skipped: 1, onHold: 0 });
  await base.settle();
  expect(await findSubmission(ctx.db, withFile.id)).toBeNull();
  expect(await listNotes(ctx.db, aboutSubmission(withFile.id))).toEqual([]);
  expect(await ctx.db.select().from(attachments)).toEqual([]);
  expect(await ctx.files.get(stored?.r2_key ?? "")).toBeNull();
  expect(await listSubmissions(ctx.db, "q=file+sender")).toEqual([]);
  const ofDeletion = eq(auditEvents.action, "submission.deleted");
  const [event] = await ctx.db.select().from(auditEvents).where(ofDeletion).orderBy(desc(auditEvents.id));
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({ count: 1, ids: [withFile.id] });
  expect(await deletion()).toEqual({ changed: 1, skipped: 1, onHold: 0 });
});

test("deleting takes the live events that name the person along, and the mails about them that have not left", async () => {
  const { ctx, note, remove, base } = await submissionStaff();
  const before = new Set((await ctx.db.select({ id: outbox.id }).from(outbox)).map(({ id }) => id));
  const send = (first_name: string) => {
    const email = `${first_name}@w.example`.toLowerCase();
    return submitContact(base, contactRequest({ first_name, last_name: "Writer", email }));
  };
  // The provider is away: both mails of each wait.
  base.outcomes.push(...Array.from({ length: 4 }, () => ({ kind: "transient" as const, reason: "503" })));
  await send("Gone");
  await send("Kept");
  await base.settle();
  const find = async (q: string) => (await listSubmissions(ctx.db, `q=${q}`))[0];
  const [gone, kept] = [await find("gone writer"), await find("kept writer")];
  if (!gone || !kept) throw new Error("both were sent");
  await note(gone.id);
  await remove([{ id: gone.id }]);

  const labels = (await ctx.db.select().from(liveEvents)).map(({ label }) => label).join();
  expect(labels).toContain("Kept Writer");
  expect(labels).not.toContain("Gone Writer");
  const all = (await ctx.db.select().from(outbox)).filter(({ id }) => !before.has(id));
  expect(all.every(({ subject_id, status }) => (status === "dead") === (subject_id === gone.id))).toBe(true);
  // Besides those to staff.
  const mails = all.filter(({ user_id }) => user_id === null);
  expect(mails.filter(({ subject_id }) => subject_id === gone.id)).toMatchObject([
    { status: "dead", params_enc: null },
    { status: "dead", params_enc: null },
  ]);
  expect(mails.filter(({ subject_id }) => subject_id === kept.id)).toMatchObject([
    { status: "pending" },
    { status: "pending" },
  ]);
  base.clock.advance(minutes(20));
  await deliverOutbox(base);
  expect(base.sent.map(({ to }) => to)).toContain("kept@w.example");
  expect(base.sent.map(({ to }) => to)).not.toContain("gone@w.example");
});

test("a mail that is just leaving while its submission is deleted is not tried again", async () => {
  const { ctx, remove, base } = await submissionStaff();
  const submission = await makeSubmission(ctx);
  await commit(ctx.db, [
    enqueueMail(ctx, "submission-reply", {
      to: "leaving@w.example",
      about: aboutSubmission(submission.id),
      data: { author: "Avery", message: "Hello" },
    }),
  ]);
  base.mailer.send = async () => {
    await remove([submission]);
    return { kind: "transient", reason: "503" };
  };
  await deliverOutbox(base);
  base.clock.advance(minutes(20));
  await deliverOutbox(base);
  const [mail] = await ctx.db.select().from(outbox).where(eq(outbox.subject_id, submission.id));
  expect(mail).toMatchObject({ status: "dead", params_enc: null, last_error: "erased" });
});

test("what is held keeps its status in a bulk change: it has none that counts until it is released", async () => {
  const { ctx, setStatusOf } = await submissionStaff();
  const held = await makeSubmission(ctx, { moderationReason: "content" });
  expect(await setStatusOf([held], "resolved")).toEqual({ changed: 0, unchanged: 0, skipped: 1 });
  expect(await findSubmission(ctx.db, held.id)).toMatchObject({ status: "new", moderationReason: "content" });
});

describe("rows that others do not see", () => {
  /*
   * Everybody who opens the list of submissions sees all of it. These tests limit a viewer to one company, as the
   * definition of a list would, and look what each bulk command does then.
   */

  type Staff = Awaited<ReturnType<typeof submissionStaff>>;

  type Command = (
    staff: Pick<Staff, "ctx" | "actor">,
    input: { selection: Selection; nonce: string },
  ) => Promise<unknown>;

  const COMMANDS: [name: string, command: Command, held?: { moderationReason: "content" }][] = [
    ["a change of status", ({ ctx, actor }, input) => bulkChangeStatus(ctx, actor, { ...input, status: "resolved" })],
    ["a release", ({ ctx, actor }, input) => releaseSubmissions(ctx, actor, input), { moderationReason: "content" }],
    ["a deletion", ({ ctx }, input) => deleteSubmissions(ctx, input)],
  ];

  const selectIn = (company: string, ids: readonly string[]): Selection => {
    const rows = ids.map((id) => ({ id, version: 1 }));
    return selectionOf(
      rows,
      (id) => sql`EXISTS (SELECT 1 FROM contact_submissions t WHERE t.id = ${id} AND t.company = ${company})`,
    );
  };

  /** Makes two submissions of a company and one of another, each with a note. */
  async function submissions({ ctx, note }: Staff, options = {}) {
    const company = `Cedar ${crypto.randomUUID()}`;
    const made = [];
    for (const of of [company, company, "Larkspur Row"]) {
      const { id } = await makeSubmission(ctx, { ...options, company: of });
      await note(id);
      made.push(id);
    }
    const [first = "", second = "", foreign = ""] = made;
    return { company, first, second, foreign };
  }

  test.each(
    COMMANDS,
  )("%s finds no row that its viewer does not see, and leaves everything about it", async (_name, run, held) => {
    const staff = await submissionStaff();
    const { ctx } = staff;
    const { company, first, second, foreign } = await submissions(staff, held);
    const input = { selection: selectIn(company, [foreign, first, second]), nonce: crypto.randomUUID() };
    const before = await findSubmission(ctx.db, foreign);
    expect(await findNames(ctx.db, input.selection, 5)).toHaveLength(2);
    expect(await run(staff, input)).toMatchObject({ changed: 2, skipped: 0 });
    expect(await run(staff, input)).toMatchObject({ changed: 2, skipped: 0 });
    expect(await findSubmission(ctx.db, foreign)).toEqual(before);
    expect(await listNotes(ctx.db, { type: "submission", id: foreign })).toHaveLength(1);
  });

  test.each(
    COMMANDS,
  )("%s leaves a row alone that leaves its viewer's sight just before the commit", async (_name, run, held) => {
    const staff = await submissionStaff();
    const { ctx } = staff;
    const { company, first, second } = await submissions(staff, held);
    const moved = interruptedBeforeCommit(ctx, () =>
      ctx.db.run(sql`UPDATE contact_submissions SET company = 'Larkspur Row' WHERE id = ${first}`),
    );
    const input = { selection: selectIn(company, [first, second]), nonce: crypto.randomUUID() };
    expect(await run({ ...staff, ctx: moved }, input)).toMatchObject({ changed: 1, skipped: 0 });
    expect(await findSubmission(ctx.db, first)).toMatchObject({
      version: 1,
      status: "new",
      moderationReason: held ? "content" : null,
    });
    expect(await listNotes(ctx.db, { type: "submission", id: first })).toHaveLength(1);
  });
});

describe("releasing held ones", () => {
  const held = { moderationReason: "content" } as const;

  test("a submission that a colleague deletes while it is released is not said to be released", async () => {
    const avery = await submissionStaff();
    const submission = await makeSubmission(avery.ctx, held);
    const racing = avery.interruptedBy(() => avery.remove([submission]));
    expect(await racing.release(submission.id)).toEqual(fail("submission_not_found"));
  });

  test("many held submissions are released at once: row, history, audit, counts and both mails of each, one live event", async () => {
    const { ctx, actor, releaseAll, base } = await submissionStaff();
    const made = [
      await makeSubmission(ctx, { ...held, email: "one@release.example" }),
      await makeSubmission(ctx, { moderationReason: "over_cap", email: "two@release.example", status: "contacted" }),
    ];
    const before = await countSubmissions(ctx.db);
    const notesBefore = (await ctx.db.select().from(liveEvents)).length;
    expect(await releaseAll(made)).toEqual({ changed: 2, skipped: 0 });
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
    const { ctx, release, releaseAll } = await submissionStaff();
    const made = [await makeSubmission(ctx, held), await makeSubmission(ctx, held), await makeSubmission(ctx, held)];
    const outcomes = await Promise.all([
      releaseAll(made.slice(0, 2)),
      releaseAll(made.slice(1)),
      release(made[1]?.id ?? ""),
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
    const { ctx, save, releaseAll, base } = await submissionStaff();
    const [stale, plain, fine] = [
      await makeSubmission(ctx, held),
      await makeSubmission(ctx),
      await makeSubmission(ctx, held),
    ];
    await save(stale.id, { ownerId: null, followUpOn: "2026-12-01" });
    const form = newForm();
    const release = () => releaseAll([stale, plain, fine, UNKNOWN], form);
    expect(await release()).toEqual({ changed: 1, skipped: 2 });
    expect(await findSubmission(ctx.db, stale.id)).toMatchObject({ moderationReason: "content" });
    expect(await findSubmission(ctx.db, plain.id)).toMatchObject({ version: 1 });
    expect(await release()).toEqual({ changed: 1, skipped: 2 });
    await base.settle();
    expect(base.sent).toHaveLength(2);
    expect(await listStatusChanges(ctx.db, fine.id)).toHaveLength(1);
  });

  test("five hundred held submissions with long messages are released in one batch, and their mails begin to leave", async () => {
    const { ctx, releaseAll, base } = await submissionStaff();
    const rows = await fiveHundred(ctx, "delayed", sql`'over_cap', replace(hex(zeroblob(4000)), '0', 'é')`);
    const trips = ctx.cost.trips;
    expect(await releaseAll(rows)).toEqual({ changed: 500, skipped: 0 });
    expect(ctx.cost.trips - trips).toBeLessThanOrEqual(4);
    const some = rows.slice(0, 50).map(({ id }) => id);
    expect(await ctx.db.$count(outbox, inArray(outbox.subject_id, some))).toBe(100);
    await base.settle();
    // One run sends twenty mails; the schedule takes care of the rest.
    expect(base.sent).toHaveLength(20);
    expect(base.sent.every(({ subject }) => subject.length > 0)).toBe(true);
  });
});
