import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { mailPauses, outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { checkHealth, readHealthReport } from "~/features/health/system-status.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { hasDueMail } from "~/features/mail/lease-outbox.server";
import { isMailDelayed, readMailPause, shownMailStatus } from "~/features/mail/mail-pause.server";
import { deliverMail } from "~/jobs/schedule";
import { days, hours, minutes } from "~/lib/time";
import { readConfig } from "~/platform/env.server";
import { bindings, type TestContext, testContext, WEDNESDAY } from "../../support/context";
import { mailRow, queueMails } from "../../support/outbox";

/** The tests begin at 15:00 in UTC, 9:00 in the site's time zone. */
const MIDNIGHT = WEDNESDAY + hours(9);

let ctx: TestContext;

const limitTo = (limit: string | undefined) => {
  ctx.config = { ...ctx.config, MAIL_DAILY_LIMIT: limit };
};

beforeEach(async () => {
  ctx = testContext();
  for (const table of [outbox, mailPauses, rateLimitAttempts]) await ctx.db.delete(table);
  limitTo("10");
});

async function queueResets(...ids: string[]) {
  const data = { path: "/auth?mode=update&token=x" };
  const mails = ids.map((id) => enqueueMail(ctx, "password-reset", { id, to: `${id}@x.example`, about: null, data }));
  await commit(ctx.db, mails);
}

const hurry = (id: string | undefined) => ctx.db.update(outbox).set({ priority: 0 }).where(sql`id = ${id}`);
const line = async (name: string) => (await readHealthReport(ctx)).find((each) => each.name === name);
const sentIds = () => ctx.sent.map(({ id }) => id);

describe("as many mails a day as MAIL_DAILY_LIMIT says", () => {
  test("from 80% on only security mail leaves, and what happens to urgent tickets is none", async () => {
    const ids = await queueMails(ctx, 12);
    await hurry(ids[11]);
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 8, sent: 8 });
    expect(sentIds()).toContain(ids[11]);
    await hurry(ids[10]);
    await queueResets("mail_reset");
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 1, sent: 1 });
    expect(sentIds().at(-1)).toBe("mail_reset");
    expect(await mailRow(ctx, ids[10] ?? "")).toMatchObject({ status: "pending", attempts: 0 });
  });

  test("at 100% nothing leaves, and on the next day of UTC all that waited does, security mail first", async () => {
    const ids = await queueMails(ctx, 10);
    await deliverOutbox(ctx);
    await queueResets("mail_1", "mail_2");
    await deliverOutbox(ctx);
    ctx.clock.set(MIDNIGHT - minutes(1));
    await queueResets("mail_3");
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    expect(ctx.sent).toHaveLength(10);
    ctx.clock.set(MIDNIGHT);
    await deliverMail(ctx);
    expect(sentIds().slice(10)).toEqual(["mail_3", ...ids.slice(8)]);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test("of one drain security mail may use up all of it, and ordinary mail no more than its part", async () => {
    await queueMails(ctx, 12);
    await queueResets("mail_1", "mail_2", "mail_3");
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 10, sent: 10 });
    expect(sentIds().slice(0, 3)).toEqual(["mail_1", "mail_2", "mail_3"]);
    await ctx.db.delete(rateLimitAttempts);
    await ctx.db.delete(outbox);
    await queueResets(...Array.from({ length: 12 }, (_, index) => `mail_more_${index}`));
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 10, sent: 10 });
  });

  test("drains at once send no more than the limit, also while mails of others are on their way", async () => {
    await queueMails(ctx, 30);
    await Promise.all(Array.from({ length: 8 }, () => deliverOutbox(ctx)));
    expect(ctx.sent).toHaveLength(8);
    await queueResets(...Array.from({ length: 9 }, (_, index) => `mail_${index}`));
    await Promise.all(Array.from({ length: 8 }, () => deliverOutbox(ctx)));
    expect(ctx.sent).toHaveLength(10);
  });

  test("mails that wait for the next day leave the job nothing to do", async () => {
    await queueMails(ctx, 30);
    await deliverMail(ctx);
    expect(ctx.sent).toHaveLength(8);
    const before = await ctx.db.select().from(outbox);
    ctx.clock.advance(minutes(5));
    const read = ctx.cost.rowsRead;
    expect(await hasDueMail(ctx)).toBe(false);
    expect(ctx.cost.rowsRead - read).toBeLessThan(15);
    expect(await deliverMail(ctx)).toEqual({ count: 0 });
    expect(await ctx.db.select().from(outbox)).toEqual(before);
    await queueResets("mail_reset");
    expect(await hasDueMail(ctx)).toBe(true);
  });

  test("a mail counts on the day on which it is sent, once, and one that is refused does not", async () => {
    await queueMails(ctx, 2);
    ctx.clock.set(MIDNIGHT);
    ctx.outcomes.push({ kind: "permanent", reason: "E_VALIDATION_ERROR" });
    await deliverOutbox(ctx);
    expect((await line("Mail sent today"))?.detail).toMatch(/^1 of 10 today \(UTC\)/);
    ctx.clock.set(MIDNIGHT + days(1));
    expect((await line("Mail sent today"))?.detail).toMatch(/^0 of 10 today/);
  });

  test.each([
    ["a day that ends", () => ctx.clock.set(MIDNIGHT)],
    ["a limit that is raised", () => limitTo("100")],
  ])("%s while nothing waits ends the pause, too", async (_, change) => {
    await queueMails(ctx, 8);
    await deliverMail(ctx);
    expect(await readMailPause(ctx.db)).toMatchObject({ retryAt: MIDNIGHT });
    change();
    await deliverMail(ctx);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test.each([["20"], [undefined]])("a limit that is raised or taken away counts at once: %s", async (limit) => {
    await queueMails(ctx, 10);
    await deliverMail(ctx);
    expect(ctx.sent).toHaveLength(8);
    limitTo(limit);
    await deliverMail(ctx);
    expect(ctx.sent).toHaveLength(10);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test.each([
    ["15", "daily_limit_reserve"],
    ["12", "daily_limit"],
  ])("a limit of %s that comes after twelve mails have left is said, once", async (limit, reason) => {
    limitTo(undefined);
    await queueMails(ctx, 12);
    await deliverMail(ctx);
    limitTo(limit);
    expect(await deliverMail(ctx)).toEqual({ count: 0 });
    expect(await readMailPause(ctx.db)).toMatchObject({ reason, retryAt: MIDNIGHT });
    expect(await hasDueMail(ctx)).toBe(false);
    limitTo("13");
    await deliverMail(ctx);
    expect((await readMailPause(ctx.db))?.reason).toBe("daily_limit_reserve");
  });

  test("on a new day nothing says that its mails are sent, also while the provider cannot be reached", async () => {
    await queueMails(ctx, 12);
    await deliverMail(ctx);
    ctx.clock.set(MIDNIGHT);
    ctx.outcomes = Array.from({ length: 4 }, () => ({ kind: "transient", reason: "unreachable" }) as const);
    await deliverMail(ctx);
    expect(ctx.sent).toHaveLength(8);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test("the smallest limit is one mail, of whatever kind", async () => {
    limitTo("1");
    await queueMails(ctx, 2);
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  });
});

describe("together with what the provider says", () => {
  test("it may refuse before the limit is reached, and is asked again in an hour", async () => {
    const [first = ""] = await queueMails(ctx, 3);
    ctx.outcomes.push({ kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" });
    await deliverOutbox(ctx);
    const others = ctx.sent.length;
    expect((await readMailPause(ctx.db))?.reason).toBe("E_DAILY_LIMIT_EXCEEDED");
    ctx.clock.advance(minutes(30));
    await queueResets("mail_reset");
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    ctx.clock.advance(minutes(30));
    await deliverOutbox(ctx);
    expect(sentIds()).toEqual(expect.arrayContaining([first, "mail_reset"]));
    expect(ctx.sent.length).toBeGreaterThan(others);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test("when it takes mail again, what our own count says stays", async () => {
    await queueMails(ctx, 7);
    await deliverOutbox(ctx);
    await queueMails(ctx, 1);
    ctx.outcomes.push({ kind: "quota", reason: "http_429_quota" });
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
    await deliverOutbox(ctx);
    expect(ctx.sent).toHaveLength(8);
    expect(await readMailPause(ctx.db)).toMatchObject({ reason: "daily_limit_reserve", retryAt: MIDNIGHT });
  });
});

describe("what people see of it", () => {
  async function shown(id: string) {
    const status = sql.raw(shownMailStatus("o"));
    const rows = await ctx.db.all<{ status: string }>(sql`SELECT ${status} AS status FROM outbox o WHERE id = ${id}`);
    return rows[0]?.status;
  }

  test("ordinary mail is delayed from 80% on, security mail only at 100%", async () => {
    const ids = await queueMails(ctx, 9);
    await deliverOutbox(ctx);
    await queueResets("mail_1", "mail_2", "mail_3");
    expect([await shown(ids[8] ?? ""), await shown("mail_1")]).toEqual(["delayed", "pending"]);
    expect(await isMailDelayed(ctx, "submission-received")).toBe(true);
    expect(await isMailDelayed(ctx, "password-reset")).toBe(false);
    await deliverOutbox(ctx);
    expect([await shown(ids[8] ?? ""), await shown("mail_3")]).toEqual(["delayed", "delayed"]);
    expect(await isMailDelayed(ctx, "password-reset")).toBe(true);
  });

  test("health says how many of how many, what waits, and until when", async () => {
    limitTo("1000");
    await queueMails(ctx, 1);
    await deliverOutbox(ctx);
    const name = "Mail sent today";
    expect(await line(name)).toMatchObject({
      state: "ok",
      detail: "1 of 1,000 today (UTC), within the provider’s quota",
    });
    await ctx.db.update(rateLimitAttempts).set({ attempts: 799 });
    await queueMails(ctx, 2);
    await deliverOutbox(ctx);
    const why = " until 18:00: 80% of today’s 1,000 mails are sent; sign-in mail still leaves";
    expect(await line(name)).toMatchObject({ state: "attention", detail: `800 of 1,000 today (UTC), delayed${why}` });
    expect((await checkHealth(ctx)).checks.outbox).toEqual({ ok: false, detail: `1 mail waits${why}` });
    await ctx.db.update(rateLimitAttempts).set({ attempts: 999 });
    await queueResets("mail_reset");
    await deliverOutbox(ctx);
    expect((await checkHealth(ctx)).checks.outbox.detail).toBe(
      "1 mail waits until 18:00: today’s 1,000 mails are sent",
    );
  });

  test("without a limit all that is due leaves, is counted, and nothing is said of a limit", async () => {
    limitTo(undefined);
    await queueMails(ctx, 25);
    await deliverMail(ctx);
    expect(ctx.sent).toHaveLength(25);
    expect(await readMailPause(ctx.db)).toBeNull();
    expect(await line("Mail sent today")).toMatchObject({
      state: "ok",
      detail: "25 today (UTC), within the provider’s quota",
    });
  });

  test.each([
    "0",
    "-5",
    "many",
    "1.5",
    "1,000",
    "9".repeat(10),
  ])("a limit of %s is said, and ignored", async (limit) => {
    limitTo(limit);
    await queueMails(ctx, 3);
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 3 });
    expect(await line("Mail sent today")).toMatchObject({
      state: "attention",
      detail: "3 today (UTC); MAIL_DAILY_LIMIT is ignored, because it is not a whole number above 0",
    });
  });

  test.each<[unknown, string | undefined]>([
    [1_000, "1000"],
    ["1000", "1000"],
    ["", undefined],
    [true, "true"],
  ])("the site starts, whatever the variable is: %j", (value, read) => {
    const config = readConfig({ ...bindings, MAIL_DAILY_LIMIT: value });
    expect(config).toMatchObject({ ok: true, config: { MAIL_DAILY_LIMIT: read } });
  });
});
