import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { MAX_ATTEMPTS } from "~/features/mail/lease-outbox.server";
import { hours, minutes } from "~/lib/time";
import type { Mailer } from "~/platform/mailer.server";
import { type TestContext, testContext } from "../../support/context";
import { mailRow, queueMail } from "../../support/outbox";

// A drain takes whatever is due, so mails of an earlier test would be in the way.
beforeEach(async () => {
  await testContext().db.delete(outbox);
});

/** Creates a context whose provider cannot recognize a repeated send. */
function withCautiousProvider(send?: Mailer["send"]): TestContext {
  const ctx = testContext();
  const usual = ctx.mailer.send;
  ctx.mailer = { provider: "cloudflare", isIdempotent: false, send: send ?? usual };
  return ctx;
}

const never = () => new Promise<never>(() => undefined);

test("two drains at once send each mail once", async () => {
  const ctx = testContext();
  const queued = [];
  for (let count = 0; count < 30; count += 1) queued.push(await queueMail(ctx));
  const reports = await Promise.all([deliverOutbox(ctx), deliverOutbox(ctx), deliverOutbox(ctx)]);
  expect(ctx.sent.map(({ id }) => id).sort()).toEqual(queued.map(({ id }) => id).sort());
  expect(reports.map(({ leased }) => leased).sort()).toEqual([0, 10, 20]);
});

test("no answer from a provider that cannot recognize a second send: a person decides", async () => {
  const ctx = withCautiousProvider(never);
  const { id } = await queueMail(ctx);
  expect(await deliverOutbox(ctx, { sendTimeout: 30 })).toMatchObject({ uncertain: 1 });
  ctx.clock.advance(hours(24));
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  const row = await mailRow(ctx, id);
  expect(row).toMatchObject({ status: "uncertain", last_error: "timeout" });
  expect(row.params_enc).not.toBeNull();
});

test("the send marker is set while such a provider is called, and removed after a clear rejection", async () => {
  const markers: (number | null)[] = [];
  const ctx = withCautiousProvider(async (mail) => {
    markers.push((await mailRow(ctx, mail.id)).send_attempted_at);
    return markers.length === 1 ? { kind: "transient", reason: "E_RATE_LIMIT_EXCEEDED" } : { kind: "sent" };
  });
  const { id } = await queueMail(ctx);
  const firstTry = ctx.now();
  await deliverOutbox(ctx);
  expect((await mailRow(ctx, id)).send_attempted_at).toBeNull();
  ctx.clock.advance(minutes(1));
  await deliverOutbox(ctx);
  expect(markers).toEqual([firstTry, firstTry + minutes(1)]);
  expect((await mailRow(ctx, id)).status).toBe("sent");
});

test("a worker that dies between calling such a provider and writing it down never causes a second mail", async () => {
  const ctx = withCautiousProvider();
  const { id } = await queueMail(ctx);
  await ctx.db
    .update(outbox)
    .set({ status: "sending", attempts: 1, lease_until: ctx.now() + minutes(1), send_attempted_at: ctx.now() })
    .where(eq(outbox.id, id));
  await deliverOutbox(ctx);
  expect((await mailRow(ctx, id)).status).toBe("sending");
  ctx.clock.advance(minutes(1) + 1);
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "uncertain", last_error: "interrupted" });
  expect(ctx.sent).toEqual([]);
});

test("a worker that dies before the provider was called loses nothing", async () => {
  const ctx = withCautiousProvider();
  const { id } = await queueMail(ctx);
  await ctx.db
    .update(outbox)
    .set({ status: "sending", attempts: 1, lease_until: ctx.now() + minutes(1) })
    .where(eq(outbox.id, id));
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  ctx.clock.advance(minutes(1) + 1);
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
  expect(await mailRow(ctx, id)).toMatchObject({ status: "sent", attempts: 2 });
});

test("a mail that kills its worker again and again is given up without another call", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  await ctx.db.update(outbox).set({ status: "sending", attempts: MAX_ATTEMPTS }).where(eq(outbox.id, id));
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", last_error: "interrupted_too_often" });
  expect(ctx.sent).toEqual([]);
});

test("an answer that comes after the lease has run out is still written down when it is a yes", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  const usual = ctx.mailer.send;
  ctx.mailer = {
    ...ctx.mailer,
    send: async (mail) => {
      ctx.clock.advance(minutes(2));
      await ctx.db
        .update(outbox)
        .set({ lease_until: ctx.now() + minutes(1) })
        .where(eq(outbox.id, mail.id));
      return usual(mail);
    },
  };
  await deliverOutbox(ctx);
  expect((await mailRow(ctx, id)).status).toBe("sent");
});

test("a failure that comes after another drain took over changes nothing", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  const theirs = ctx.now() + minutes(3);
  ctx.mailer = {
    ...ctx.mailer,
    send: async () => {
      await ctx.db.update(outbox).set({ lease_until: theirs }).where(eq(outbox.id, id));
      return { kind: "permanent", reason: "http_422" };
    },
  };
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "sending", lease_until: theirs });
});
