import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { mailAddressHolds, mailDeliveryEvents, outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { findHeldAddress, liftAddressHold, recordDeliveryEvents } from "~/features/mail/delivery-events.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { purgeExpired } from "~/jobs/purge-expired.server";
import { days, hours, minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { deliveryEvent, type EventOptions } from "../../support/mail-provider";
import { mailRow, queueMail } from "../../support/outbox";
import { expectNoScan, recordedContext } from "../../support/recorded-database";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  await ctx.db.delete(outbox);
  await ctx.db.delete(mailDeliveryEvents);
  await ctx.db.delete(mailAddressHolds);
  ctx.mailer = {
    provider: "cloudflare",
    isIdempotent: false,
    send: async (mail) => {
      const outcome = ctx.outcomes.shift() ?? { kind: "sent" as const, messageId: `p-${mail.id}` };
      if (outcome.kind === "sent") ctx.sent.push(mail);
      return outcome;
    },
  };
});

/** Sends a mail, so that the provider knows it. */
async function sentMail(to?: string) {
  const { id, to: email } = await queueMail(ctx, to ? { to } : {});
  await deliverOutbox(ctx);
  return { id, to: email, providerId: `p-${id}` };
}

const events = (...all: EventOptions[]) =>
  recordDeliveryEvents(
    ctx,
    all.map((options) => deliveryEvent({ at: ctx.now(), ...options })),
  );

const statusOf = async (id: string) => (await mailRow(ctx, id)).status;

test("a mail that came back stays so, whatever is told of it before or after", async () => {
  const orders = [
    ["deferred", "delivered", "bounced"],
    ["bounced", "delivered", "deferred"],
    ["delivered", "bounced", "complained"],
  ] as const;
  for (const kinds of orders) {
    const mail = await sentMail();
    for (const kind of kinds) await events({ kind, messageId: mail.providerId });
    expect(await statusOf(mail.id)).toBe("bounced");
  }
});

test.each([
  ["delivered", {}, "delivered", null],
  ["deferred", {}, "sent", null],
  ["complained", {}, "delivered", "complained"],
  ["failed", {}, "dead", "E_DELIVERY_FAILED"],
  ["rejected", { rejection: "spam" }, "dead", "rejected"],
  ["rejected", { rejection: "suppressed" }, "bounced", "E_RECIPIENT_SUPPRESSED"],
  ["bounced", { bounce: "soft" }, "bounced", "not_reachable"],
  ["bounced", { bounce: "hard" }, "bounced", "returned"],
] as const)("'%s' %j becomes %s", async (kind, more, status, reason) => {
  const mail = await sentMail();
  await events({ kind, messageId: mail.providerId, ...more });
  expect(await mailRow(ctx, mail.id)).toMatchObject({ status, last_error: reason });
});

test("an event that names its mail before we know its id counts as soon as we do", async () => {
  const { id } = await queueMail(ctx);
  await events({ kind: "bounced", messageId: `p-${id}` });
  expect(await statusOf(id)).toBe("pending");
  await deliverOutbox(ctx);
  expect(await statusOf(id)).toBe("bounced");
});

test("an event about a mail that nobody knows waits for a day and is dropped", async () => {
  await events({ kind: "bounced", messageId: "somebody-elses" });
  ctx.clock.advance(hours(23));
  await purgeExpired(ctx);
  expect(await ctx.db.select().from(mailDeliveryEvents)).toHaveLength(1);
  ctx.clock.advance(hours(2));
  await purgeExpired(ctx);
  expect(await ctx.db.select().from(mailDeliveryEvents)).toEqual([]);
});

test("what is no event is left out, and the others of the batch count", async () => {
  const mail = await sentMail();
  const good = deliveryEvent({ kind: "delivered", messageId: mail.providerId, at: ctx.now() });
  const wrong = [
    null,
    "text",
    {},
    { type: "cf.email.sending.message.opened", payload: good.payload },
    { ...good, payload: {} },
  ];
  await recordDeliveryEvents(ctx, [...wrong, good]);
  expect(await statusOf(mail.id)).toBe("delivered");
});

test("an address that bounces is held: its next mail waits and leaves once afterwards", async () => {
  const first = await sentMail();
  await events({ kind: "bounced", bounce: "soft", messageId: first.providerId });
  const next = await queueMail(ctx, { to: first.to });
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, next.id)).toMatchObject({
    ...{ status: "pending", last_error: "address_held", next_at: ctx.now() + hours(24), attempts: 0 },
  });
  expect(ctx.sent).toHaveLength(1);
  ctx.clock.advance(hours(24));
  await Promise.all([deliverOutbox(ctx), deliverOutbox(ctx)]);
  expect(await statusOf(next.id)).toBe("sent");
  expect(ctx.sent.map(({ id }) => id)).toEqual([first.id, next.id]);
});

test("a hard bounce holds for seven days, a complaint until a person lifts it, and the longer hold stays", async () => {
  const mail = await sentMail();
  await events({ kind: "bounced", bounce: "hard", messageId: mail.providerId });
  await events({ kind: "rejected", rejection: "suppressed", messageId: mail.providerId });
  expect(await findHeldAddress(ctx, mail.to)).toMatchObject({ until: ctx.now() + days(7), reason: "returned" });
  await events({ kind: "complained", messageId: mail.providerId });
  expect(await findHeldAddress(ctx, mail.to)).toMatchObject({ until: null, reason: "complained" });
  ctx.clock.advance(days(30));
  expect(await findHeldAddress(ctx, mail.to)).not.toBeNull();
});

test("a repeated event does not hold again what a person has lifted", async () => {
  const mail = await sentMail();
  const event = { kind: "bounced", messageId: mail.providerId, eventId: "evt-1" } as const;
  await events(event);
  await ctx.db.delete(mailAddressHolds);
  await events(event, event);
  expect(await findHeldAddress(ctx, mail.to)).toBeNull();
});

test("a mail that arrives after the bounce lifts the hold; one from before does not", async () => {
  const before = await sentMail();
  const bounced = await sentMail(before.to);
  await events({ kind: "bounced", messageId: bounced.providerId });
  await events({ kind: "delivered", messageId: before.providerId, at: ctx.now() - minutes(1) });
  expect(await findHeldAddress(ctx, before.to)).not.toBeNull();
  ctx.clock.advance(minutes(5));
  ctx.outcomes = [];
  const later = "mail_of_security";
  const mail = { id: later, to: before.to, about: null, data: { notMePath: "/not-me" } };
  await commit(ctx.db, [enqueueMail(ctx, "password-changed", mail)]);
  await deliverOutbox(ctx);
  expect(await statusOf(later)).toBe("sent");
  await events({ kind: "delivered", messageId: `p-${later}` });
  expect(await findHeldAddress(ctx, before.to)).toBeNull();
});

test("a provider that refuses a suppressed address holds it for a day, again and again for eight days at most", async () => {
  const suppressed = { kind: "suppressed" as const, reason: "E_RECIPIENT_SUPPRESSED" };
  const { id, to } = await queueMail(ctx);
  for (let day = 0; day <= 8; day += 1) {
    ctx.outcomes = [suppressed];
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", last_error: "address_held", attempts: 0 });
    expect(await findHeldAddress(ctx, to)).toMatchObject({ until: ctx.now() + hours(24) });
    ctx.clock.advance(hours(24));
  }
  ctx.outcomes = [suppressed];
  await deliverOutbox(ctx);
  expect(await statusOf(id)).toBe("dead");
  expect(ctx.sent).toEqual([]);
});

test("an event of the former sending says nothing about a mail that a person sends again", async () => {
  const mail = await sentMail();
  await events({ kind: "bounced", messageId: mail.providerId });
  await ctx.db
    .update(outbox)
    .set({ status: "pending", next_at: ctx.now() + 1 })
    .where(eq(outbox.id, mail.id));
  await events({ kind: "delivered", messageId: mail.providerId });
  expect(await statusOf(mail.id)).toBe("pending");
});

test("a bounce that is told late does not hold an address that has taken a mail since, but a complaint does", async () => {
  const bounced = await sentMail();
  const later = await sentMail(bounced.to);
  const other = await sentMail();
  const bouncedAt = ctx.now();
  ctx.clock.advance(minutes(10));
  await events({ kind: "delivered", messageId: later.providerId });
  ctx.clock.advance(minutes(10));
  await events({ kind: "bounced", messageId: bounced.providerId, at: bouncedAt });
  expect(await statusOf(bounced.id)).toBe("bounced");
  expect(await findHeldAddress(ctx, bounced.to)).toBeNull();
  await events({ kind: "bounced", messageId: other.providerId, at: bouncedAt });
  expect(await findHeldAddress(ctx, other.to)).not.toBeNull();
  await events({ kind: "complained", messageId: bounced.providerId, at: bouncedAt });
  expect(await findHeldAddress(ctx, bounced.to)).toMatchObject({ until: null });
});

test("mail that waits longer for its address than a provider suppresses one ends, and says why", async () => {
  const first = await sentMail();
  await events({ kind: "complained", messageId: first.providerId });
  const { id } = await queueMail(ctx, { to: first.to });
  for (let day = 0; day <= 8; day += 1) {
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", last_error: "address_held" });
    ctx.clock.advance(hours(25));
    if (day === 7) break;
  }
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", last_error: "address_held", params_enc: null });
  expect(ctx.sent).toHaveLength(1);
});

test("lifting the hold of an address reads only the mails that wait for it", async () => {
  const { context, statements } = recordedContext();
  await commit(context.db, liftAddressHold(context, "lead@brightsmile.example"));
  await expectNoScan(statements, 2);
});
