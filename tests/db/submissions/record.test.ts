import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { settings } from "~/db/schema/site";
import { contactSubmissions } from "~/db/schema/submissions";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { type NewSubmission, submitContact } from "~/features/submissions/intake/submit-contact.server";
import { releaseSubmission } from "~/features/submissions/list/commands.server";
import { countRecent, countSubmissions, findSubmission, listRepeats } from "~/features/submissions/queries.server";
import { replyToSubmission, saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { listTimeline } from "~/features/submissions/record/read-record.server";
import { fail } from "~/lib/errors";
import { days } from "~/lib/time";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";

async function staffMember() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  return { ctx: as(base, avery), actor: signedInAs(avery, base.now()), base };
}

const nonce = () => crypto.randomUUID();

test("an owner must be staff, and who assigned what stands in the history", async () => {
  const { ctx, actor, base } = await staffMember();
  const submission = await makeSubmission(ctx);
  const client = await makePerson(base, { role: "user" });
  const tech = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const gone = await makePerson(base, { role: "moderator", status: "deactivated" });
  const assign = (ownerId: string | null) =>
    saveSubmissionProperties(ctx, actor, {
      submissionId: submission.id,
      ownerId,
      followUpOn: "2026-12-01",
      nonce: nonce(),
    });
  expect(await assign(client.id)).toEqual(fail("owner_not_staff"));
  expect(await assign(gone.id)).toEqual(fail("owner_not_staff"));
  await assign(tech.id);
  await assign(tech.id);
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({
    owner: { id: tech.id, name: "Jordan Vale" },
    followUpOn: "2026-12-01",
  });
  expect(await listTimeline(ctx.db, submission.id)).toMatchObject([
    { kind: "assignment", actor: "Avery Quinn", owner: "Jordan Vale", followUpOn: "2026-12-01" },
  ]);
});

test("a reply is queued once, kept with the record, and moves a new request to contacted", async () => {
  const { ctx, actor, base } = await staffMember();
  const submission = await makeSubmission(ctx, { email: "priya@reply.example" });
  const reply = {
    submissionId: submission.id,
    message: "Hello Priya,\n\nMonday works.",
    contacted: true,
    nonce: nonce(),
  };
  await Promise.all([replyToSubmission(ctx, actor, reply), replyToSubmission(ctx, actor, reply)]);
  await base.settle();
  expect(base.sent).toHaveLength(1);
  expect(base.sent[0]).toMatchObject({ to: "priya@reply.example" });
  expect(base.sent[0]?.text).toContain("Monday works.");
  expect(base.sent[0]?.text).toContain("Avery Quinn");
  const kinds = (await listTimeline(ctx.db, submission.id)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["reply", "status"]);
  expect(await findSubmission(ctx.db, submission.id)).toMatchObject({ status: "contacted" });
});

test("a reply leaves the status alone when asked to, and when somebody had answered before", async () => {
  const { ctx, actor } = await staffMember();
  const untouched = await makeSubmission(ctx);
  const resolved = await makeSubmission(ctx, { status: "resolved" });
  await replyToSubmission(ctx, actor, { submissionId: untouched.id, message: "Hi", contacted: false, nonce: nonce() });
  await replyToSubmission(ctx, actor, { submissionId: resolved.id, message: "Hi", contacted: true, nonce: nonce() });
  expect(await findSubmission(ctx.db, untouched.id)).toMatchObject({ status: "new" });
  expect(await findSubmission(ctx.db, resolved.id)).toMatchObject({ status: "resolved" });
});

test("whoever answers a request that nobody has gets it if they want it, and keeps its day of the follow-up", async () => {
  const { ctx, actor, base } = await staffMember();
  const [first, second] = [await makeSubmission(ctx), await makeSubmission(ctx)];
  const reply = { message: "Hi", contacted: false };
  await saveSubmissionProperties(ctx, actor, { submissionId: second.id, followUpOn: "2026-12-01", nonce: nonce() });
  await replyToSubmission(ctx, actor, { ...reply, submissionId: first.id, nonce: nonce() });
  await replyToSubmission(ctx, actor, { ...reply, submissionId: second.id, assignToMe: true, nonce: nonce() });
  expect(await findSubmission(ctx.db, first.id)).toMatchObject({ owner: null });
  expect(await findSubmission(ctx.db, second.id)).toMatchObject({
    owner: { id: actor.userId },
    followUpOn: "2026-12-01",
  });
  const tech = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const colleague = { ctx: as(base, tech), actor: signedInAs(tech, base.now()) };
  const late = { ...reply, submissionId: second.id, assignToMe: true, nonce: nonce() };
  await replyToSubmission(colleague.ctx, colleague.actor, late);
  expect(await findSubmission(ctx.db, second.id)).toMatchObject({ owner: { id: actor.userId } });
  const told = (await listTimeline(ctx.db, second.id)).filter(({ kind }) => kind === "assignment");
  expect(told.map((entry) => entry.kind === "assignment" && entry.ownerChanged && entry.owner)).toEqual([
    "Avery Quinn",
    false,
  ]);
  const taken = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "submission.assigned"));
  expect(taken.filter(({ subject_id: id }) => id === second.id)).toHaveLength(2);
});

test("Not spam counts the submission for its own day, sends both mails and tells the others, once", async () => {
  const { ctx, actor, base } = await staffMember();
  const at = ctx.now() - days(2);
  const held = await makeSubmission(ctx, { moderationReason: "content", at, email: "agnes@quilts.example" });
  const before = await countSubmissions(ctx.db);
  const week = (await countRecent(ctx.db, ctx.now()))(DEFAULT_SETTINGS.timeZone).week;
  const release = () => releaseSubmission(ctx, actor, { submissionId: held.id, nonce: nonce() });
  await Promise.all([release(), release()]);
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
  const { ctx } = await staffMember();
  const email = "again@repeat.example";
  const first = await makeSubmission(ctx, { email, at: ctx.now() - days(9) });
  const second = await makeSubmission(ctx, { email, firstName: "P.", at: ctx.now() - days(4) });
  await makeSubmission(ctx, { email, moderationReason: "too_many" });
  const third = await makeSubmission(ctx, { email });
  const repeats = await listRepeats(ctx.db, third.id);
  expect(repeats.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
});

function request(overrides: Partial<NewSubmission> = {}): NewSubmission {
  const person = { first_name: "Cap", last_name: "Test", email: "cap@test.example" };
  const input = { ...person, phone: null, company: null, message: null, agreed_to_terms: "on" as const };
  return { input, file: null, nonce: nonce(), held: null, termsVersion: "2026-11-01", ...overrides };
}

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
  await submitContact(base, request({ held: "content" }));
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

  for (let count = 6; count < 20; count += 1) await submitContact(base, request({ held: "content" }));
  expect(await submitContact(base, request())).toEqual(fail("too_many_today"));
  base.clock.advance(days(1));
  expect((await submitContact(base, request())).ok).toBe(true);
  await base.db.delete(settings);
});
