import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { legalHolds, retentionRuns } from "~/db/schema/privacy";
import { settings } from "~/db/schema/site";
import { adminNotes, attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { applyRetention, previewDeletion } from "~/features/privacy/retention.server";
import { RETENTION_KEY, type RetentionRule, ruleInForce, savedRetention } from "~/features/settings/model";
import { findRetention } from "~/features/settings/queries.server";
import { days, hours } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";
import { storeAttachment } from "../../support/stored-files";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  await ctx.db.delete(settings).where(eq(settings.key, RETENTION_KEY));
  for (const table of [legalHolds, retentionRuns, contactSubmissions]) await ctx.db.delete(table);
});

/** Saves a rule as the settings do. */
async function saveRule(rule: RetentionRule): Promise<void> {
  const { retention, version } = await findRetention(ctx.db);
  const value_json = JSON.stringify(savedRetention(retention, rule, ctx.now()));
  await ctx.db
    .insert(settings)
    .values({ key: RETENTION_KEY, value_json, updated_at: ctx.now() })
    .onConflictDoUpdate({ target: settings.key, set: { value_json, version: version + 1 } });
}

const resolved = (age: number, options = {}) =>
  makeSubmission(ctx, { status: "resolved", at: ctx.now() - days(age), ...options });

const hold = (subject_type: "submission" | "user", subject_id: string) =>
  ctx.db.insert(legalHolds).values({
    ...{ id: ctx.newId("hld"), subject_type, subject_id, reason: "A dispute" },
    ...{ placed_by_name: "Avery Quinn", placed_at: ctx.now() },
  });

const left = async (): Promise<Set<string>> =>
  new Set((await ctx.db.select({ id: contactSubmissions.id }).from(contactSubmissions)).map(({ id }) => id));

/** Returns submissions of every kind, of which only `due` may go under a year. */
async function agedWorld() {
  const due = [
    await resolved(366),
    await resolved(500),
    await makeSubmission(ctx, { status: "new", at: ctx.now() - days(3_000), moderationReason: "content" }),
  ];
  const quiet = await resolved(400);
  const spokenAbout = await resolved(400);
  await ctx.db.insert(adminNotes).values({
    ...{ id: ctx.newId("note"), subject_type: "submission", subject_id: spokenAbout.id, admin_user_id: "usr_1" },
    ...{ author_name: "Avery Quinn", note: "Called again", created_at: ctx.now() - days(380) },
    updated_at: ctx.now() - days(10),
  });
  await hold("submission", quiet.id);
  const person = await makePerson(ctx);
  const ofHeldPerson = await resolved(400, { email: person.email });
  await hold("user", person.id);
  const kept = [
    spokenAbout,
    quiet,
    ofHeldPerson,
    await resolved(364),
    await makeSubmission(ctx, { status: "new", at: ctx.now() - days(900) }),
    await makeSubmission(ctx, { status: "contacted", at: ctx.now() - days(900) }),
    await resolved(300, { moderationReason: "content" }),
  ];
  return { due, kept };
}

test("a run deletes exactly what its preview has counted, and says so in its log and in the audit", async () => {
  const { due, kept } = await agedWorld();
  const [first] = due;
  const { statement } = await storeAttachment(
    ctx,
    { name: "plan.pdf", kind: "pdf", bytes: new Uint8Array(Buffer.from("%PDF-1.7")) },
    { type: "submission", id: first?.id ?? "" },
  );
  await statement;
  const [file] = await ctx.db.select().from(attachments);
  const preview = await previewDeletion(ctx.db, ctx.now() - days(365));
  expect(preview).toEqual({ count: 3, onHold: 2, isMore: false });

  expect(await applyRetention(ctx)).toEqual({ count: 3, more: false });
  const rest = await left();
  expect(due.filter(({ id }) => rest.has(id))).toEqual([]);
  expect(kept.filter(({ id }) => !rest.has(id))).toEqual([]);
  expect(await ctx.files.get(file?.r2_key ?? "")).toBeNull();
  expect(await ctx.db.$count(attachments)).toBe(0);
  expect(await ctx.db.select().from(retentionRuns)).toMatchObject([
    { day: "2026-11-18", retention_days: 365, submissions: 3, files: 1, notes: 0, on_hold: 2 },
  ]);
  const isDeletion = eq(auditEvents.action, "submission.expired");
  const event = (await ctx.db.select().from(auditEvents).where(isDeletion).orderBy(auditEvents.id)).at(-1);
  expect(event).toMatchObject({ actor_role: "system", subject_id: null });
  expect(JSON.parse(event?.meta_json ?? "{}")).toMatchObject({ count: 3 });
  // The next run of the day finds nothing, and adds nothing.
  expect(await applyRetention(ctx)).toEqual({ count: 0, more: false });
  expect(await ctx.db.select().from(retentionRuns)).toMatchObject([{ submissions: 3 }]);
});

test("a shorter period counts a day after it was saved, and one that never counted is forgotten", async () => {
  const { id } = await resolved(100);
  await saveRule({ days: 30, never: false });
  ctx.clock.advance(hours(23));
  expect((await applyRetention(ctx)).count).toBe(0);
  await saveRule({ days: 60, never: false });
  const { retention } = await findRetention(ctx.db);
  expect(ruleInForce(retention, ctx.now())).toEqual({ days: 365, never: false });
  ctx.clock.advance(hours(24));
  expect((await previewDeletion(ctx.db, ctx.now() - days(60))).count).toBe(1);
  expect((await applyRetention(ctx)).count).toBe(1);
  expect((await left()).has(id)).toBe(false);
});

test("what keeps more counts at once, and what was kept so is not deleted the moment it is taken back", async () => {
  const { id } = await resolved(400);
  await saveRule({ days: 500, never: false });
  expect((await applyRetention(ctx)).count).toBe(0);
  await saveRule({ days: 30, never: true });
  expect((await applyRetention(ctx)).count).toBe(0);
  ctx.clock.advance(hours(1));
  await saveRule({ days: 365, never: false });
  expect((await applyRetention(ctx)).count).toBe(0);
  expect((await left()).has(id)).toBe(true);
  ctx.clock.advance(hours(24));
  expect((await applyRetention(ctx)).count).toBe(1);
});

test("nothing is deleted while the switch says never, nor by a setting that cannot be read", async () => {
  const { id } = await resolved(2_000);
  await saveRule({ days: 365, never: true });
  ctx.clock.advance(days(2));
  expect((await applyRetention(ctx)).count).toBe(0);
  await ctx.db.update(settings).set({ value_json: '{"days":-1}' }).where(eq(settings.key, RETENTION_KEY));
  expect((await applyRetention(ctx)).count).toBe(0);
  expect((await left()).has(id)).toBe(true);
});

test("the database itself keeps what is held", async () => {
  const { id } = await resolved(10);
  await hold("submission", id);
  const deletion = ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.id, id));
  await expect(deletion).rejects.toThrow();
  await ctx.db.update(legalHolds).set({ lifted_at: ctx.now() }).where(sql`subject_id = ${id}`);
  await ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.id, id));
  expect((await left()).has(id)).toBe(false);
});
