import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { commit } from "~/db/client.server";
import { jobGroups } from "~/db/schema/infrastructure";
import { outbox } from "~/db/schema/outbox";
import { getSystemStatus, STORE_CHECK } from "~/features/health/system-status.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { dispatch } from "~/jobs/dispatch.server";
import { JOB_GROUPS } from "~/jobs/job";
import { jobsOf } from "~/jobs/schedule";
import { days, hours, minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { forgetRuns } from "../../support/jobs";

beforeEach(async () => {
  await forgetRuns();
  await testContext().db.delete(outbox);
});

/** Returns a context a while later. */
function later(time = 0) {
  const ctx = testContext();
  ctx.clock.advance(time);
  return { ctx, problems: async () => (await getSystemStatus(ctx)).problems };
}

test("nobody knows how the stores are before they have been probed, and nobody says they are well", async () => {
  const ctx = testContext();
  expect(await getSystemStatus(ctx)).toMatchObject({ operational: false });
});

test("after a minute's run all systems are operational, and looking costs one round trip and no write", async () => {
  const ctx = testContext();
  await dispatch(ctx);
  Object.assign(ctx.cost, { trips: 0, rowsWritten: 0 });
  expect(await getSystemStatus(ctx)).toEqual({ operational: true, problems: [] });
  expect(ctx.cost).toMatchObject({ trips: 1, rowsWritten: 0 });
});

test("a file store that does not answer is a problem from the sixth minute on, and none again after it came back", async () => {
  const { ctx, problems } = later(minutes(60));
  const { get } = ctx.files;
  await dispatch(ctx);
  ctx.files.get = vi.fn().mockRejectedValue(new Error("R2Error: internal error"));
  const pass = async () => {
    ctx.clock.advance(minutes(1));
    await dispatch(ctx, jobsOf(JOB_GROUPS.upkeep));
  };
  for (let minute = 0; minute < 6; minute += 1) await pass();
  expect(await problems()).toEqual(["The file store has not answered for five minutes"]);
  ctx.files.get = get;
  await pass();
  expect(await problems()).toEqual([]);
});

test("a probe that has stopped coming is a problem, because nobody knows", async () => {
  const { ctx, problems } = later(minutes(120));
  await dispatch(ctx);
  ctx.clock.advance(minutes(6));
  expect(await problems()).toContain("The database has not taken a change for five minutes");
});

test("a part of the schedule that has stopped is a problem, also while the others run", async () => {
  const { ctx, problems } = later(hours(3));
  await dispatch(ctx);
  for (let passed = 0; passed < 20; passed += 5) {
    ctx.clock.advance(minutes(5));
    for (const cron of [JOB_GROUPS.mail, JOB_GROUPS.upkeep]) await dispatch(ctx, jobsOf(cron));
  }
  expect(await problems()).toEqual(["Scheduled work is late (ran 20\u00a0min ago)"]);
  await dispatch(ctx, jobsOf(JOB_GROUPS.clocks));
  expect(await problems()).toEqual([]);
});

test("a mail that is held back for the night is no problem, one that should have left is, and so is one that fails", async () => {
  const { ctx, problems } = later(days(1));
  const mail = { to: "olive@night.example", about: null, data: { day: "2026-11-18", cap: 100, path: "/admin" } };
  const [held, failing] = ["mail_held", "mail_failing"] as const;
  await commit(ctx.db, [
    enqueueMail(ctx, "submissions-over-cap", { ...mail, id: held, notBefore: ctx.now() + hours(8) }),
  ]);
  const problemsAfter = async (time: number) => {
    ctx.clock.advance(time);
    ctx.mailer.send = async () => ({ kind: "transient", reason: "503" });
    await ctx.db.update(jobGroups).set({
      ran_at: ctx.now(),
      jobs: sql`iif(jobs -> ${`$.${STORE_CHECK}`} IS NULL, jobs, json_set(jobs, ${`$.${STORE_CHECK}.ok`}, ${ctx.now()}))`,
    });
    return problems();
  };
  await dispatch(ctx);
  expect(await problemsAfter(hours(7))).toEqual([]);
  expect(await problemsAfter(minutes(76))).toEqual(["Mail is not leaving (oldest mail has waited 16\u00a0min)"]);
  await ctx.db.delete(outbox).where(eq(outbox.id, held));
  await commit(ctx.db, [enqueueMail(ctx, "submissions-over-cap", { ...mail, id: failing })]);
  await deliverOutbox(ctx);
  expect(await problemsAfter(minutes(20))).toEqual(["Mail is not leaving (oldest mail has waited 20\u00a0min)"]);
});

test("that mail is not leaving is seen however many mails are held back for the night", async () => {
  const { ctx, problems } = later(days(2));
  await dispatch(ctx);
  const add = (prefix: string, count: number, at: number, from: number) =>
    ctx.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO outbox(id, kind, to_hash, priority, status, next_at, created_at)
      SELECT ${prefix} || i, 'ticket-update', 'x', 1, 'pending', ${from}, ${at} FROM n`);
  await add("held_", 300, ctx.now() - hours(1), ctx.now() + hours(8));
  expect(await problems()).toEqual([]);
  await add("due_", 1, ctx.now() - minutes(20), ctx.now() - minutes(20));
  const { rowsRead } = ctx.cost;
  expect(await problems()).toEqual(["Mail is not leaving (oldest mail has waited 20\u00a0min)"]);
  await add("more_", 1000, ctx.now() - hours(1), ctx.now() + hours(8));
  const before = ctx.cost.rowsRead;
  await getSystemStatus(ctx);
  expect(ctx.cost.rowsRead - before).toBeLessThan(before - rowsRead + 20);
});

test("a database that does not answer is told, not thrown", async () => {
  const ctx = testContext();
  const broken = () => {
    throw new Error("D1_ERROR: Network connection lost.");
  };
  ctx.db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { select: broken });
  expect((await getSystemStatus(ctx)).operational).toBe(false);
});

test("looking costs at most a hundred rows more, however many mails wait, some of them for another attempt", async () => {
  const ctx = testContext();
  await dispatch(ctx);
  const cost = async () => {
    Object.assign(ctx.cost, { rowsRead: 0 });
    await getSystemStatus(ctx);
    return ctx.cost.rowsRead;
  };
  const before = await cost();
  await ctx.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
    INSERT INTO outbox(id, kind, to_hash, priority, status, next_at, created_at, last_error)
    SELECT 'out_many' || i, 'test', 'x', 1, 'pending', ${ctx.now()} + i, ${ctx.now()} + i,
      iif(i % 2 = 0, 'timeout', NULL) FROM n`);
  expect((await cost()) - before).toBeLessThanOrEqual(110);
});
