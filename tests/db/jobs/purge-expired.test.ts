import { eq, like, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { idempotency } from "~/db/schema/infrastructure";
import { liveDismissals, liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { authChallenges, rateLimitAttempts, sessions } from "~/db/schema/sessions";
import { PURGE_CHUNK, purgeExpired } from "~/jobs/purge-expired.server";
import { days, hours, type Instant, minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";

/** Runs the job until it reports no more work. */
async function purge(ctx: TestContext) {
  for (let report = await purgeExpired(ctx); report.more; report = await purgeExpired(ctx));
}

test("a session is deleted thirty days after its end, and not before", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx);
  await makeSession(ctx, person);
  ctx.clock.advance(days(30) + hours(12));
  await purge(ctx);
  expect(await ctx.db.$count(sessions, eq(sessions.user_id, person.id))).toBe(1);
  ctx.clock.advance(1);
  await purge(ctx);
  expect(await ctx.db.$count(sessions, eq(sessions.user_id, person.id))).toBe(0);
});

test("a challenge is deleted a day after it expired", async () => {
  const ctx = testContext();
  const { id } = await makePerson(ctx);
  await ctx.db.insert(authChallenges).values({
    id_hash: id,
    user_id: id,
    kind: "verify",
    max_attempts: 5,
    epoch: 0,
    created_at: ctx.now(),
    expires_at: ctx.now() + minutes(10),
  });
  ctx.clock.advance(days(1));
  await purge(ctx);
  expect(await ctx.db.$count(authChallenges, eq(authChallenges.user_id, id))).toBe(1);
  ctx.clock.advance(minutes(10) + 1);
  await purge(ctx);
  expect(await ctx.db.$count(authChallenges, eq(authChallenges.user_id, id))).toBe(0);
});

test("attempts are kept for thirty days, accepted forms for forty-eight hours", async () => {
  const ctx = testContext();
  const now = ctx.now();
  const attempt = (identifier: string, at: Instant) => ({
    attempt_type: "mfa",
    identifier,
    attempts: 1,
    last_attempt_at: at,
  });
  const form = (key: string, at: Instant) => ({ key, scope: "test", result_location: "/", created_at: at });
  await ctx.db
    .insert(rateLimitAttempts)
    .values([attempt("kept", now - days(30)), attempt("deleted", now - days(30) - 1)]);
  await ctx.db.insert(idempotency).values([form("kept", now - hours(48)), form("deleted", now - hours(48) - 1)]);
  await purge(ctx);
  const attempts = await ctx.db.select({ name: rateLimitAttempts.identifier }).from(rateLimitAttempts);
  expect(attempts).toEqual([{ name: "kept" }]);
  expect(await ctx.db.select({ key: idempotency.key }).from(idempotency)).toEqual([{ key: "kept" }]);
});

test("sent mail is deleted after fourteen days; mail that is pending or needs a person is not", async () => {
  const ctx = testContext();
  const old = ctx.now() - days(15);
  const mail = (id: string, status: "sent" | "pending" | "uncertain" | "dead", sentAt: Instant | null) => ({
    id,
    kind: "submission-received",
    to_hash: "x",
    priority: 1,
    status,
    next_at: old,
    created_at: old,
    sent_at: sentAt,
  });
  await ctx.db
    .insert(outbox)
    .values([
      mail("sent-long-ago", "sent", old),
      mail("sent-late", "sent", ctx.now() - days(13)),
      mail("pending", "pending", null),
      mail("uncertain", "uncertain", null),
      mail("dead", "dead", null),
    ]);
  await purge(ctx);
  const left = (await ctx.db.select({ id: outbox.id }).from(outbox)).map(({ id }) => id).sort();
  expect(left).toEqual(["dead", "pending", "sent-late", "uncertain"]);
});

test("what a mail says of which nobody knows whether it was sent is kept for fourteen days", async () => {
  const ctx = testContext();
  const mail = { kind: "submission-received", to_hash: "x", priority: 1, status: "uncertain", next_at: 0 } as const;
  const at = ctx.now() - days(14);
  await ctx.db.insert(outbox).values([
    { ...mail, id: "uncertain-old", params_enc: "x", created_at: at - 1 },
    { ...mail, id: "uncertain-new", params_enc: "x", created_at: at },
  ]);
  await purge(ctx);
  const rows = await ctx.db
    .select({ id: outbox.id, text: outbox.params_enc })
    .from(outbox)
    .where(like(outbox.id, "uncertain-%"));
  expect(rows.sort((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: "uncertain-new", text: "x" },
    { id: "uncertain-old", text: null },
  ]);
});

test("live events are deleted after seven days, together with their dismissals", async () => {
  const ctx = testContext();
  const reader = await makePerson(ctx);
  const event = (at: Instant) => ({
    audience: "staff",
    type: "new_note" as const,
    subject_type: "submission",
    subject_id: "x",
    label: "x",
    at,
  });
  const seqs: number[] = [];
  for (const at of [ctx.now() - days(8), ctx.now() - days(7) - 1, ctx.now() - days(7), ctx.now()]) {
    const [row] = await ctx.db.insert(liveEvents).values(event(at)).returning({ seq: liveEvents.seq });
    seqs.push(row?.seq ?? 0);
  }
  await ctx.db.insert(liveDismissals).values(seqs.map((seq) => ({ user_id: reader.id, seq })));
  await purge(ctx);
  expect((await ctx.db.select({ seq: liveEvents.seq }).from(liveEvents)).map(({ seq }) => seq)).toEqual(seqs.slice(2));
  const dismissed = await ctx.db.select({ seq: liveDismissals.seq }).from(liveDismissals);
  expect(dismissed.map(({ seq }) => seq)).toEqual(seqs.slice(2));
  ctx.clock.advance(days(8));
  await purge(ctx);
  expect(await ctx.db.$count(liveDismissals)).toBe(0);
});

test("notifications are kept for ninety days", async () => {
  const ctx = testContext();
  const { id } = await makePerson(ctx);
  const told = { user_id: id, event: "staff_replied", subject_type: "ticket", subject_id: "x", label: "T-1" };
  for (const age of [days(90), days(90) + 1])
    await ctx.db.insert(notifications).values({ ...told, at: ctx.now() - age });
  await purge(ctx);
  expect(await ctx.db.$count(notifications, eq(notifications.user_id, id))).toBe(1);
});

test("many rows are deleted in chunks, the rest by the next run, and a third run finds nothing", async () => {
  const ctx = testContext();
  const rows = 21 * PURGE_CHUNK;
  await ctx.db.run(sql`
    insert into idempotency(key, scope, result_location, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
    select 'bulk' || i, 'test', '/', 0 from n`);
  const first = await purgeExpired(ctx);
  expect(first.more).toBe(true);
  expect(first.count).toBeLessThanOrEqual(27 * PURGE_CHUNK);
  expect(await ctx.db.$count(idempotency, like(idempotency.key, "bulk%"))).toBeGreaterThan(0);
  const second = await purgeExpired(ctx);
  expect(second.more).toBeFalsy();
  expect(first.count + second.count).toBe(rows);
  expect(await purgeExpired(ctx)).toEqual({ count: 0 });
});
