import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { addNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { bulkChangeStatus, deleteSubmissions } from "~/features/submissions/list/commands.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { pdf } from "../../support/documents";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { storeFile } from "../../support/stored-files";
import { listSubmissions, selectSubmissions } from "../../support/submission-list";

async function staffMember() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  return { ctx: as(base, avery), actor: signedInAs(avery, base.now()), base };
}

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });
const nonce = () => crypto.randomUUID();
const fresh = ({ id }: { id: string }) => ({ id, version: 1 });

test("many submissions move at once: record, history, audit and counts of each, one live event for all", async () => {
  const { ctx, actor, base } = await staffMember();
  const made = [await makeSubmission(ctx), await makeSubmission(ctx), await makeSubmission(ctx)];
  const before = await countSubmissions(ctx.db);
  const notesBefore = (await ctx.db.select().from(liveEvents)).length;
  const change = { selection: selectSubmissions(made.map(fresh)), status: "contacted" as const, nonce: nonce() };
  expect(await bulkChangeStatus(ctx, actor, change)).toEqual({ changed: 3, unchanged: 0, skipped: 0 });
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
  const { ctx, actor } = await staffMember();
  const [stale, kept, already] = [
    await makeSubmission(ctx),
    await makeSubmission(ctx),
    await makeSubmission(ctx, { status: "resolved" }),
  ];
  await changeSubmissionStatus(ctx, actor, { submissionId: stale.id, status: "contacted", nonce: nonce() });
  const selection = selectSubmissions([stale, kept, already].map(fresh).concat({ id: "sub_unknown", version: 1 }));
  expect(await bulkChangeStatus(ctx, actor, { selection, status: "resolved", nonce: nonce() })).toEqual({
    changed: 1,
    unchanged: 1,
    skipped: 1,
  });
  expect(await findSubmission(ctx.db, stale.id)).toMatchObject({ status: "contacted" });
  expect(await listStatusChanges(ctx.db, already.id)).toEqual([]);
});

test("staff and owners are told of the submissions that moved, not of those that were skipped", async () => {
  const { ctx, actor, base } = await staffMember();
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
  const change = (made: { id: string }[]) =>
    bulkChangeStatus(ctx, actor, {
      selection: selectSubmissions(made.map(fresh)),
      status: "resolved",
      nonce: nonce(),
    });
  expect(await change([stale])).toEqual({ changed: 0, unchanged: 0, skipped: 1 });
  expect(await told()).toEqual(before);
  expect(await change([moved, stale])).toEqual({ changed: 1, unchanged: 0, skipped: 1 });
  expect(await told()).toEqual({ live: [...before.live, "1 submission: Resolved"], owner: [] });
});

test("the same bulk form posted twice moves once and answers the same", async () => {
  const { ctx, actor } = await staffMember();
  const made = [await makeSubmission(ctx), await makeSubmission(ctx)];
  const change = { selection: selectSubmissions(made.map(fresh)), status: "contacted" as const, nonce: nonce() };
  const first = await bulkChangeStatus(ctx, actor, change);
  expect(await bulkChangeStatus(ctx, actor, change)).toEqual(first);
  expect(await listStatusChanges(ctx.db, made[0]?.id ?? "")).toHaveLength(1);
});

test("five hundred submissions move in one action", async () => {
  const { ctx, actor } = await staffMember();
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, reply_due_at, consent_terms_version, ip_hash, search_text)
    SELECT 'sub_many' || i, 1, 1, 900000 + i, 'A', 'B', 'a@b.example', 'new', 1, 1, 'x', 'x', 'a b' FROM n`);
  const rows = Array.from({ length: 500 }, (_, place) => ({ id: `sub_many${place + 1}`, version: 1 }));
  const selection = selectSubmissions(rows);
  ctx.cost.trips = 0;
  const outcome = await bulkChangeStatus(ctx, actor, { selection, status: "resolved", nonce: nonce() });
  expect(outcome).toEqual({ changed: 500, unchanged: 0, skipped: 0 });
  expect(ctx.cost.trips).toBe(3);
});

test("deleting takes notes, history and file along and leaves one audit event with the ids", async () => {
  const { ctx, actor, base } = await staffMember();
  const input = {
    first_name: "File",
    last_name: "Sender",
    email: "f@s.example",
    phone: null,
    company: null,
    message: null,
  };
  await submitContact(base, {
    input: { ...input, agreed_to_terms: "on" },
    file: await storeFile(base, { name: "plan.pdf", kind: "pdf", bytes: pdf() }),
    nonce: nonce(),
    termsVersion: "2026-11-01",
    held: null,
  });
  const [withFile = { id: "", version: 0 }] = await listSubmissions(ctx.db, "q=file+sender");
  const [stored] = await ctx.db.select().from(attachments);
  await addNote(ctx, actor, { subject: aboutSubmission(withFile.id), note: "Call back", nonce: nonce() });
  const changed = await makeSubmission(ctx);
  await changeSubmissionStatus(ctx, actor, { submissionId: changed.id, status: "contacted", nonce: nonce() });
  const deletion = { selection: selectSubmissions([withFile, fresh(changed)]), nonce: nonce() };
  expect(await deleteSubmissions(ctx, deletion)).toEqual({ changed: 1, skipped: 1, onHold: 0 });
  await base.settle();
  expect(await findSubmission(ctx.db, withFile.id)).toBeNull();
  expect(await listNotes(ctx.db, aboutSubmission(withFile.id))).toEqual([]);
  expect(await ctx.db.select().from(attachments)).toEqual([]);
  expect(await ctx.files.get(stored?.r2_key ?? "")).toBeNull();
  expect(await listSubmissions(ctx.db, "q=file+sender")).toEqual([]);
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "submission.deleted"));
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({ count: 1, ids: [withFile.id] });
  expect(await deleteSubmissions(ctx, deletion)).toEqual({ changed: 1, skipped: 1, onHold: 0 });
});

test("deleting takes the live events that name the person along, and the mails about them that have not left", async () => {
  const { ctx, actor, base } = await staffMember();
  const before = new Set((await ctx.db.select({ id: outbox.id }).from(outbox)).map(({ id }) => id));
  const send = (first_name: string) =>
    submitContact(base, {
      input: {
        first_name,
        last_name: "Writer",
        email: `${first_name}@w.example`.toLowerCase(),
        phone: null,
        company: null,
        message: null,
        agreed_to_terms: "on",
      },
      file: null,
      nonce: nonce(),
      termsVersion: "2026-11-01",
      held: null,
    });
  // The provider is away: both mails of each wait.
  base.outcomes.push(...Array.from({ length: 4 }, () => ({ kind: "transient" as const, reason: "503" })));
  await send("Gone");
  await send("Kept");
  await base.settle();
  const find = async (q: string) => (await listSubmissions(ctx.db, `q=${q}`))[0];
  const [gone, kept] = [await find("gone writer"), await find("kept writer")];
  if (!gone || !kept) throw new Error("both were sent");
  await addNote(ctx, actor, { subject: aboutSubmission(gone.id), note: "Call back", nonce: nonce() });
  await deleteSubmissions(ctx, { selection: selectSubmissions([fresh(gone)]), nonce: nonce() });

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
  const { ctx, base } = await staffMember();
  const submission = await makeSubmission(ctx);
  await commit(ctx.db, [
    enqueueMail(ctx, "submission-reply", {
      to: "leaving@w.example",
      about: aboutSubmission(submission.id),
      data: { author: "Avery", message: "Hello" },
    }),
  ]);
  base.mailer.send = async () => {
    await deleteSubmissions(ctx, { selection: selectSubmissions([fresh(submission)]), nonce: nonce() });
    return { kind: "transient", reason: "503" };
  };
  await deliverOutbox(base);
  base.clock.advance(minutes(20));
  await deliverOutbox(base);
  const [mail] = await ctx.db.select().from(outbox).where(eq(outbox.subject_id, submission.id));
  expect(mail).toMatchObject({ status: "dead", params_enc: null, last_error: "erased" });
});

test("what is held keeps its status in a bulk change: it has none that counts until it is released", async () => {
  const { ctx, actor } = await staffMember();
  const held = await makeSubmission(ctx, { moderationReason: "content" });
  const change = { selection: selectSubmissions([fresh(held)]), status: "resolved" as const, nonce: nonce() };
  expect(await bulkChangeStatus(ctx, actor, change)).toEqual({ changed: 0, unchanged: 0, skipped: 1 });
  expect(await findSubmission(ctx.db, held.id)).toMatchObject({ status: "new", moderationReason: "content" });
});
