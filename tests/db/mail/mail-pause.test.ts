import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { mailPauses, outbox } from "~/db/schema/outbox";
import { checkHealth, getSystemStatus } from "~/features/health/system-status.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { MAX_ATTEMPTS } from "~/features/mail/lease-outbox.server";
import { readMailPause } from "~/features/mail/mail-pause.server";
import { dispatch } from "~/jobs/dispatch.server";
import { deliverMail } from "~/jobs/schedule";
import { hours, minutes, seconds } from "~/lib/time";
import type { SendOutcome } from "~/platform/mailer.server";
import { type TestContext, testContext } from "../../support/context";
import { mailRow, queueMail } from "../../support/outbox";

const QUOTA: SendOutcome = { kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" };

let ctx: TestContext;
/** Says whether the provider's quota is used up, and counts what it was asked to send. */
let provider: { isEmpty: boolean; calls: string[] };

beforeEach(async () => {
  ctx = testContext();
  await ctx.db.delete(outbox);
  await ctx.db.delete(mailPauses);
  provider = { isEmpty: true, calls: [] };
  const { send } = ctx.mailer;
  ctx.mailer = {
    ...ctx.mailer,
    send: async (mail) => {
      provider.calls.push(mail.id);
      return provider.isEmpty ? QUOTA : send(mail);
    },
  };
});

async function queueReset(id: string) {
  const mail = { id, to: `${id}@larkspur.example`, about: null, data: { path: "/auth?mode=update&token=x" } };
  await commit(ctx.db, [enqueueMail(ctx, "password-reset", mail)]);
}

async function queueMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await queueMail(ctx)).id);
  return ids;
}

const rows = () => ctx.db.select().from(outbox);

test("once the quota is used up, the mails that are not on their way yet are not even tried", async () => {
  await queueMany(20);
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 20, sent: 0, pending: 20, dead: 0 });
  expect(provider.calls.length).toBeLessThanOrEqual(5);
  expect(
    (await rows()).every(
      ({ status, attempts, lease_until }) => status === "pending" && attempts === 0 && lease_until === null,
    ),
  ).toBe(true);
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  await queueMail(ctx);
  await deliverOutbox(ctx);
  expect(provider.calls.length).toBeLessThanOrEqual(5);
});

test("what is sent before the quota is used up stays sent", async () => {
  const [first] = await queueMany(20);
  provider.isEmpty = false;
  const { send } = ctx.mailer;
  ctx.mailer.send = async (mail) => {
    provider.isEmpty = provider.calls.length >= 7;
    return send(mail);
  };
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 7, pending: 13 });
  expect(ctx.sent[0]?.id).toBe(first);
});

test("days of a used-up quota cost no mail an attempt, and none is given up", async () => {
  const ids = await queueMany(3);
  for (let hour = 0; hour < 3 * 24; hour += 1) {
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
  }
  expect(provider.calls.length).toBeGreaterThan(MAX_ATTEMPTS);
  for (const id of ids) expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 0 });
  provider.isEmpty = false;
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 3 });
});

test("during the pause one mail is tried at a time, and it is what somebody waits for", async () => {
  await queueMany(5);
  await deliverOutbox(ctx);
  await queueReset("mail_reset");
  ctx.clock.advance(minutes(30));
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  provider.calls = [];
  ctx.clock.advance(minutes(30));
  await ctx.db.update(outbox).set({ created_at: ctx.now() }).where(eq(outbox.id, "mail_reset"));
  await deliverOutbox(ctx);
  expect(provider.calls).toEqual(["mail_reset"]);
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
});

test("of drains at once only one tries", async () => {
  await queueMany(25);
  await deliverOutbox(ctx);
  ctx.clock.advance(hours(1));
  provider.calls = [];
  await Promise.all(Array.from({ length: 8 }, () => deliverOutbox(ctx)));
  expect(provider.calls).toHaveLength(1);
});

test("when the quota is back, what somebody waits for leaves first, and the rest follows at once", async () => {
  const ids = await queueMany(5);
  await deliverOutbox(ctx);
  ctx.clock.advance(hours(1));
  await queueReset("mail_urgent");
  provider.isEmpty = false;
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 6 });
  expect(ctx.sent.map(({ id }) => id)).toEqual(["mail_urgent", ...ids]);
  expect(await readMailPause(ctx.db)).toBeNull();
});

test("a mail that is rejected for itself does not keep the others from being tried", async () => {
  const [bad, good] = await queueMany(2);
  await deliverOutbox(ctx);
  ctx.clock.advance(hours(1));
  provider.isEmpty = false;
  ctx.outcomes.push({ kind: "permanent", reason: "E_RECIPIENT_SUPPRESSED" });
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1, dead: 1 });
  expect(await mailRow(ctx, bad ?? "")).toMatchObject({ status: "dead" });
  expect(ctx.sent.map(({ id }) => id)).toEqual([good]);
});

test("a provider without idempotency may get a mail again that it has refused for the quota", async () => {
  ctx.mailer = { ...ctx.mailer, isIdempotent: false };
  const [id] = await queueMany(1);
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id ?? "")).toMatchObject({ status: "pending", send_attempted_at: null });
  ctx.clock.advance(hours(1));
  provider.isEmpty = false;
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
});

test("a link that has expired while the mail waited is not sent any more, and holds no other mail up", async () => {
  const ids = await queueMany(1);
  for (let index = 0; index < 6; index += 1) await queueReset(`mail_old_${index}`);
  await deliverOutbox(ctx);
  ctx.clock.advance(hours(1));
  provider.isEmpty = false;
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
  expect(ctx.sent.map(({ id }) => id)).toEqual(ids);
  expect((await rows()).map(({ id }) => id)).toEqual(ids);
});

test("a pause in which nothing waits any more is over when it is time to try", async () => {
  await queueMany(1);
  await deliverOutbox(ctx);
  await ctx.db.delete(outbox);
  await deliverMail(ctx);
  expect(await readMailPause(ctx.db)).not.toBeNull();
  ctx.clock.advance(hours(1));
  await deliverMail(ctx);
  expect(await readMailPause(ctx.db)).toBeNull();
});

test("mails that come too fast are no used-up quota: each is tried again by itself, and none is given up", async () => {
  provider.isEmpty = false;
  const [id = ""] = await queueMany(1);
  for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt += 1) {
    ctx.outcomes.push({ kind: "rate_limited", reason: "http_429" });
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
  }
  expect(await readMailPause(ctx.db)).toBeNull();
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 0 });
});

test("the health page says how many mails wait for the quota, since when, and when the next one is tried", async () => {
  await queueMany(3);
  await dispatch(ctx);
  // 15:00 in UTC is 9:00 in the site's time zone.
  const words = "3 mails wait: the mail provider’s daily quota is used up, since 09:00; tries again at 10:00";
  expect((await checkHealth(ctx)).checks.outbox).toEqual({ ok: false, detail: words });
  expect((await getSystemStatus(ctx)).problems).toContain(`Mail is not leaving (${words})`);
  ctx.clock.advance(hours(1) + seconds(1));
  await deliverOutbox(ctx);
  expect((await checkHealth(ctx)).checks.outbox.detail).toContain("since 09:00; tries again at 11:00");
  provider.isEmpty = false;
  ctx.clock.advance(hours(1));
  await deliverOutbox(ctx);
  expect((await checkHealth(ctx)).checks.outbox).toEqual({ ok: true, detail: "No mail waiting" });
});
