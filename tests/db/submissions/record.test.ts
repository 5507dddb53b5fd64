import { and, desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { settings } from "~/db/schema/site";
import { contactSubmissions, submissionReplies } from "~/db/schema/submissions";
import { ADDRESS_HELD, type MailStatus } from "~/features/mail/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { countRecent, countSubmissions, findSubmission, listRepeats } from "~/features/submissions/queries.server";
import { resendReply } from "~/features/submissions/record/commands.server";
import {
  conversationView,
  findFirstResponse,
  findKnownSender,
  listTimeline,
  readSubmissionEntries,
} from "~/features/submissions/record/read-record.server";
import { fail } from "~/lib/errors";
import { days, hours, minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, makeSubmission } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { contactRequest, handlingOf, submissionStaff } from "../../support/submissions";

const nonce = () => crypto.randomUUID();

test("an owner must be staff, and who assigned what stands in the history", async () => {
  const { ctx, save, base } = await submissionStaff();
  const submission = await makeSubmission(ctx);
  const client = await makePerson(base, { role: "user" });
  const tech = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const gone = await makePerson(base, { role: "moderator", status: "deactivated" });
  const assign = (ownerId: string | null) => save(submission.id, { ownerId, followUpOn: "2026-12-01" });
  expect(await assign(client.id)).toEqual(fail("owner_not_staff"));
  expect(await assign(gone.id)).toEqual(fail("owner_not_staff"));
  await assign(tech.id);
  await assign(tech.id);
  expect(await handlingOf(ctx, submission.id)).toEqual(["new", tech.id, "2026-12-01"]);
  expect(await listTimeline(ctx.db, submission.id)).toMatchObject([
    { kind: "assignment", actor: "Avery Quinn", owner: "Jordan Vale", followUpOn: "2026-12-01" },
  ]);
});

test("a reply is queued once, kept with the record, and moves a new request to contacted", async () => {
  const { ctx, reply, base } = await submissionStaff();
  const submission = await makeSubmission(ctx, { email: "priya@reply.example" });
  const form = { message: "Hello Priya,\n\nMonday works.", nonce: nonce() };
  await Promise.all([reply(submission.id, form), reply(submission.id, form)]);
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual(["priya@reply.example"]);
  for (const part of ["Monday works.", "Avery Quinn"]) expect(base.sent[0]?.text).toContain(part);
  const kinds = (await listTimeline(ctx.db, submission.id)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["reply", "status"]);
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
});

test("a reply leaves the status alone when asked to, and when somebody had answered before", async () => {
  const { ctx, reply } = await submissionStaff();
  const untouched = await makeSubmission(ctx);
  const resolved = await makeSubmission(ctx, { status: "resolved" });
  await reply(untouched.id, { contacted: false });
  await reply(resolved.id);
  expect(await findSubmission(ctx.db, untouched.id)).toMatchObject({ status: "new" });
  expect(await findSubmission(ctx.db, resolved.id)).toMatchObject({ status: "resolved" });
});

test("whoever answers a request that nobody has gets it if they want it, and keeps its day of the follow-up", async () => {
  const { ctx, actor, reply, save, base } = await submissionStaff();
  const [first, second] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  await save(second.id, { followUpOn: "2026-12-01" });
  await reply(first.id);
  await reply(second.id, { assignToMe: true });
  expect(await findSubmission(ctx.db, first.id)).toMatchObject({ owner: null });
  expect(await handlingOf(ctx, second.id)).toEqual(["contacted", actor.userId, "2026-12-01"]);
  const colleague = await submissionStaff(base, { role: "moderator", fullName: "Jordan Vale" });
  await colleague.reply(second.id, { assignToMe: true });
  expect(await handlingOf(ctx, second.id)).toEqual(["contacted", actor.userId, "2026-12-01"]);
  const told = (await listTimeline(ctx.db, second.id)).filter(({ kind }) => kind === "assignment");
  expect(told.map((entry) => entry.kind === "assignment" && entry.ownerChanged && entry.owner)).toEqual([
    "Avery Quinn",
    false,
  ]);
  const taken = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "submission.assigned"));
  expect(taken.filter(({ subject_id: id }) => id === second.id)).toHaveLength(2);
});

test("of two who take or answer a request at once one gets it: the second hears of it, and both answers are sent", async () => {
  const avery = await submissionStaff();
  const { ctx, base } = avery;
  const jordan = await submissionStaff(base, { role: "moderator", fullName: "Jordan Vale" });
  const owners = async (id: string) =>
    (await listTimeline(ctx.db, id)).flatMap((entry) => (entry.kind === "assignment" ? [entry.owner] : []));
  const took = await makeSubmission(ctx);
  const take = ({ save, actor }: Pick<typeof jordan, "save" | "actor">) =>
    save(took.id, { ownerId: actor.userId, takes: true, had: { ownerId: null } });
  expect(await take(avery.interruptedBy(() => take(jordan)))).toEqual(fail("taken"));
  expect(await owners(took.id)).toEqual(["Jordan Vale"]);

  const { id } = await makeSubmission(ctx, { email: "both@reply.example" });
  const late = avery.interruptedBy(() => jordan.reply(id, { assignToMe: true }));
  expect((await late.reply(id, { assignToMe: true })).ok).toBe(true);
  expect(await owners(id)).toEqual(["Jordan Vale"]);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ owner: { id: jordan.person.id }, status: "contacted" });
  await base.settle();
  expect(base.sent.filter(({ to }) => to === "both@reply.example")).toHaveLength(2);
});

test("Not spam counts the submission for its own day, sends both mails and tells the others, once", async () => {
  const { ctx, actor, release, base } = await submissionStaff();
  const at = ctx.now() - days(2);
  const held = await makeSubmission(ctx, { moderationReason: "content", at, email: "agnes@quilts.example" });
  const before = await countSubmissions(ctx.db);
  const week = (await countRecent(ctx.db, ctx.now()))(DEFAULT_SETTINGS.timeZone).week;
  await Promise.all([release(held.id), release(held.id)]);
  await base.settle();
  expect(base.sent.map(({ to }) => to).sort()).toEqual(["agnes@quilts.example", DEFAULT_SETTINGS.adminEmail].sort());
  expect(await countSubmissions(ctx.db)).toMatchObject({ new: before.new + 1, held: before.held - 1 });
  expect((await countRecent(ctx.db, ctx.now()))(DEFAULT_SETTINGS.timeZone)).toMatchObject({ week: week + 1 });
  expect(await listTimeline(ctx.db, held.id)).toMatchObject([{ kind: "status", to: "new", released: true }]);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, held.id));
  expect(events.map(({ action }) => action)).toEqual(["submission.released"]);
  const [liveEvent] = await ctx.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(liveEvent).toMatchObject({ type: "new_submission", subject_id: held.id, actor_id: actor.userId });
});

test("who has written before is known by the address, whatever they call themselves", async () => {
  const { ctx } = await submissionStaff();
  const email = "again@repeat.example";
  const first = await makeSubmission(ctx, { email, at: ctx.now() - days(9) });
  const second = await makeSubmission(ctx, { email, firstName: "P.", at: ctx.now() - days(4) });
  await makeSubmission(ctx, { email, moderationReason: "too_many" });
  const third = await makeSubmission(ctx, { email });
  const repeats = await listRepeats(ctx.db, third.id);
  expect(repeats.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
});

const request = (moderationReason: "content" | null = null) =>
  contactRequest({ email: "cap@test.example" }, { moderationReason });

test("above the daily limit submissions are held silently, the provider is told once, and far above it is the end", async () => {
  const base = testContext();
  // A day of its own, so that no other test has used it up.
  base.clock.set(Date.parse("2027-03-03T15:00:00Z"));
  const limit = { key: "maxSubmissionsPerDay", value_json: "2", updated_at: 1 };
  await base.db.insert(settings).values(limit);
  for (let count = 0; count < 2; count += 1) expect((await submitContact(base, request())).ok).toBe(true);
  await base.settle();
  const beforeLimit = base.sent.length;
  for (let count = 2; count < 5; count += 1) expect((await submitContact(base, request())).ok).toBe(true);
  await submitContact(base, request("content"));
  await base.settle();
  const reasons = await base.db
    .select({ reason: contactSubmissions.held_reason })
    .from(contactSubmissions)
    .where(eq(contactSubmissions.submitted_on, "2027-03-03"));
  expect(reasons.map(({ reason }) => reason).sort()).toEqual(
    ["content", null, null, "over_cap", "over_cap", "over_cap"].sort(),
  );
  const alerts = base.sent.filter(({ subject }) => subject.startsWith("More than 2 submissions"));
  expect(alerts.map(({ to }) => to)).toEqual([DEFAULT_SETTINGS.adminEmail]);
  // Each of the two was acknowledged, and the provider was told of it.
  expect(beforeLimit).toBeGreaterThanOrEqual(2 * 2);
  expect(base.sent).toHaveLength(beforeLimit + 1);

  for (let count = 6; count < 20; count += 1) await submitContact(base, request("content"));
  expect(await submitContact(base, request())).toEqual(fail("too_many_today"));
  base.clock.advance(days(1));
  expect((await submitContact(base, request())).ok).toBe(true);
  await base.db.delete(settings);
});

async function conversation() {
  const avery = await submissionStaff();
  const { base, ctx, actor } = avery;
  const { id } = await makeSubmission(base, { email: "priya@talk.example" });
  return {
    base,
    read: (query = "") =>
      readSubmissionEntries(ctx.db, actor, { submissionId: id, ...conversationView(new URLSearchParams(query)) }),
    note: (text: string) => avery.note(id, text),
    reply: () => avery.reply(id, { contacted: false }),
    take: () => avery.save(id, { ownerId: actor.userId }),
    /** Writes notes, a minute after each other, by one statement. */
    notes: (count: number) =>
      base.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
        INSERT INTO admin_notes(id, subject_type, subject_id, admin_user_id, author_name, note, created_at, updated_at)
        SELECT 'note_' || ${id} || i, 'submission', ${id}, ${actor.userId}, 'Avery Quinn', 'Note ' || i,
          ${base.now()} + i * ${minutes(1)}, ${base.now()} + i * ${minutes(1)} FROM n`),
  };
}

test("what was written and what has happened stands in one row, oldest first, or only mail or notes", async () => {
  const { base, read, note, reply, take } = await conversation();
  for (const step of [take, () => note("Red light"), reply]) {
    await step();
    base.clock.advance(minutes(1));
  }
  const kinds = async (query?: string) => (await read(query)).entries.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["assignment", "note", "reply"]);
  expect(await kinds("show=mail")).toEqual(["reply"]);
  expect(await kinds("show=notes")).toEqual(["note"]);
  expect(await kinds("show=nonsense&until=-1")).toHaveLength(3);
  expect((await read()).counts).toEqual({ mail: { count: 2, isMore: false }, notes: { count: 1, isMore: false } });
});

test("of the notes alone the newest stands first, on each part of them", async () => {
  const { read, notes } = await conversation();
  await notes(60);
  const texts = async (query: string) => {
    const { entries, earlier } = await read(query);
    return { texts: entries.map((entry) => (entry.kind === "note" ? entry.text : "")), earlier };
  };
  const latest = await texts("show=notes");
  expect([latest.texts.length, latest.texts[0], latest.texts.at(-1)]).toEqual([50, "Note 59", "Note 10"]);
  const rest = await texts(`show=notes&until=${latest.earlier}`);
  expect([rest.texts.length, rest.texts[0], rest.texts.at(-1)]).toEqual([10, "Note 9", "Note 0"]);
});

test("a reply tells whether its mail has left", async () => {
  const { base, read, reply } = await conversation();
  await reply();
  expect((await read()).entries).toMatchObject([{ kind: "reply", delivery: { at: null } }]);
  await base.settle();
  expect((await read()).entries).toMatchObject([
    { kind: "reply", delivery: { status: "sent", at: expect.any(Number), reason: null } },
  ]);
});

test("a long conversation is read in parts that neither repeat nor lose an entry", async () => {
  const { read, notes } = await conversation();
  await notes(120);
  const parts: string[][] = [];
  for (let query = ""; ; ) {
    const { entries, earlier, counts } = await read(query);
    parts.unshift(entries.map((entry) => (entry.kind === "note" ? entry.text : "")));
    expect(counts.notes).toEqual({ count: 99, isMore: true });
    if (earlier === null) break;
    query = `until=${earlier}`;
  }
  expect(parts.map(({ length }) => length)).toEqual([20, 50, 50]);
  expect(parts.flat()).toEqual(Array.from({ length: 120 }, (_, place) => `Note ${place}`));
});

describe("sending a reply again", () => {
  const PRIYA = "priya@again.example";

  let base: TestContext;
  let avery: Awaited<ReturnType<typeof submissionStaff>>;
  let submissionId: string;
  let replyId: string;

  /** Returns how many mails to the visitor have left so far. */
  const mailsSent = async () => (await mailsTo(base, PRIYA)).length;

  /** Gives the mail of the reply a state, as a provider or a worker that stopped would. */
  const endMailAs = (status: Exclude<MailStatus, "delayed" | "held">) =>
    base.db
      .update(outbox)
      .set({ status, params_enc: null, lease_until: Number.MAX_SAFE_INTEGER })
      .where(eq(outbox.subject_id, submissionId));

  const toldAgain = () =>
    base.db
      .select({ actor: auditEvents.actor_name })
      .from(auditEvents)
      .where(and(eq(auditEvents.action, "submission.reply_resent"), eq(auditEvents.subject_id, submissionId)));

  const resend = (changes: Partial<Parameters<typeof resendReply>[1]> = {}) =>
    resendReply(avery.ctx, { submissionId, replyId, nonce: nonce(), ...changes });

  beforeEach(async () => {
    avery = await submissionStaff();
    ({ base } = avery);
    ({ id: submissionId } = await makeSubmission(base, { email: PRIYA }));
    await avery.reply(submissionId, { contacted: false });
    await base.settle();
    const [stored] = await base.db
      .select({ id: submissionReplies.id })
      .from(submissionReplies)
      .where(eq(submissionReplies.submission_id, submissionId));
    replyId = stored?.id ?? "";
    expect(await mailsSent()).toBe(1);
  });

  test.each([
    "dead",
    "bounced",
    "uncertain",
  ] as const)("a reply whose mail is %s is sent again, and shows the state of the new mail", async (status) => {
    await endMailAs(status);
    expect(await resend()).toEqual({ ok: true, value: { isSent: true } });
    const mails = await mailsTo(base, PRIYA);
    expect(mails).toHaveLength(2);
    expect(mails.every(({ text }) => text.includes("Monday works."))).toBe(true);
    const view = { submissionId, ...conversationView(new URLSearchParams()) };
    const shown = await readSubmissionEntries(base.db, avery.actor, view);
    expect(shown.entries).toMatchObject([{ kind: "reply", delivery: { status: "sent" } }]);
    expect(await toldAgain()).toEqual([{ actor: "Avery Quinn" }]);
  });

  test.each([
    "pending",
    "sending",
    "sent",
    "delivered",
  ] as const)("a reply whose mail is %s is not sent again", async (status) => {
    await endMailAs(status);
    expect(await resend()).toEqual({ ok: true, value: { isSent: false } });
    expect(await mailsSent()).toBe(1);
    expect(await toldAgain()).toEqual([]);
  });

  test("a reply that waits because its address bounces is sent again at once, and once: the address is not held any more", async () => {
    const { db } = base;
    await db
      .update(outbox)
      .set({ status: "pending", last_error: ADDRESS_HELD, next_at: Number.MAX_SAFE_INTEGER })
      .where(eq(outbox.subject_id, submissionId));
    const [waiting] = await db.select().from(outbox).where(eq(outbox.subject_id, submissionId));
    const hold = { to_hash: waiting?.to_hash ?? "", reason: "returned", since: 0, until: Number.MAX_SAFE_INTEGER };
    await db.insert(mailAddressHolds).values(hold);
    expect((await Promise.all([resend(), resend()])).every(({ ok }) => ok)).toBe(true);
    await base.settle();
    expect(await mailsSent()).toBe(2);
    expect(await db.select().from(mailAddressHolds).where(eq(mailAddressHolds.to_hash, hold.to_hash))).toEqual([]);
    const mails = await db.select().from(outbox).where(eq(outbox.subject_id, submissionId));
    expect(mails.map(({ status }) => status)).toEqual(["sent"]);
    expect(await toldAgain()).toHaveLength(1);
  });

  test("two colleagues who send the same reply again send one mail, and so does a double click", async () => {
    await endMailAs("dead");
    const again = { nonce: nonce() };
    const [first, second, colleague] = [await resend(again), await resend(again), await resend()];
    expect([first, second, colleague].map((result) => result.ok && result.value.isSent)).toEqual([true, true, false]);
    expect(await mailsSent()).toBe(2);
    await endMailAs("dead");
    await Promise.all([resend(), resend()]);
    expect(await mailsSent()).toBe(3);
    expect(await toldAgain()).toHaveLength(2);
  });

  test("a reply whose second mail does not arrive either is sent again from a page that still has the token", async () => {
    const again = { nonce: nonce() };
    for (const sent of [2, 3]) {
      await endMailAs("bounced");
      for (let click = 0; click < 2; click += 1)
        expect(await resend(again)).toEqual({ ok: true, value: { isSent: true } });
      await base.settle();
      expect(await mailsSent()).toBe(sent);
    }
  });

  test("a reply of another submission, or none, is not found", async () => {
    await endMailAs("dead");
    const other = await makeSubmission(base, { email: "omar@again.example" });
    const notFound = { ok: false, code: "submission_not_found" };
    expect(await resend({ submissionId: other.id })).toMatchObject(notFound);
    expect(await resend({ replyId: "srp_none" })).toMatchObject(notFound);
    await base.settle();
    expect(await mailsSent()).toBe(1);
    expect(await mailsTo(base, "omar@again.example")).toEqual([]);
  });
});

test("an address that is nobody's is nobody's, and one of an account says where its owner belongs", async () => {
  const ctx = testContext();
  const dana = await makePerson(ctx, { fullName: "Dana Whitlock", email: "dana@sender.example" });
  const dental = await makeOrganization(ctx, "Brightsmile Dental");
  await makeMember(ctx, dental.id, dana, "owner");
  const stranger = await makeSubmission(ctx, { email: "nobody@sender.example" });
  const client = await makeSubmission(ctx, { email: "dana@sender.example" });
  expect(await findKnownSender(ctx.db, stranger.id)).toBeNull();
  expect(await findKnownSender(ctx.db, client.id)).toEqual({
    account: { name: "Dana Whitlock", role: "user", status: "active" },
    memberships: [{ organizationId: dental.id, organization: "Brightsmile Dental", role: "owner", status: "active" }],
  });
});

test("somebody who is invited and has no account is known by the invitation", async () => {
  const ctx = testContext();
  const { id: organization_id } = await makeOrganization(ctx, "Harbor House");
  await makeInvitedMember(ctx, organization_id, { email: "invited@sender.example" });
  const { id } = await makeSubmission(ctx, { email: "invited@sender.example" });
  expect(await findKnownSender(ctx.db, id)).toEqual({
    account: null,
    memberships: [{ organizationId: organization_id, organization: "Harbor House", role: "member", status: "pending" }],
  });
});

test("the answer is the first move out of new, whatever happens later", async () => {
  const { base, ctx, setStatus } = await submissionStaff();
  const { id } = await makeSubmission(ctx);
  expect(await findFirstResponse(ctx.db, id)).toBeNull();
  const answeredAt = ctx.now();
  for (const status of ["contacted", "new", "resolved"] as const) {
    await setStatus(id, status);
    base.clock.advance(hours(1));
  }
  expect(await findFirstResponse(ctx.db, id)).toBe(answeredAt);
});
