import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { contactSubmissions } from "~/db/schema/submissions";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { leaseDueMail, MAX_ATTEMPTS } from "~/features/mail/lease-outbox.server";
import { hours, minutes, seconds } from "~/lib/time";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { mailRow, queueMail } from "../../support/outbox";

// A drain takes whatever is due, so mails of an earlier test would be in the way.
beforeEach(async () => {
  await testContext().db.delete(outbox);
});

const never = () => new Promise<never>(() => undefined);

test("a queued mail leaves with its number, says that no machine should answer, and keeps no personal data", async () => {
  const ctx = testContext();
  const submission = await makeSubmission(ctx);
  const { id, to } = await queueMail(ctx, { submissionId: submission.id });
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 1, sent: 1 });
  expect(ctx.sent).toHaveLength(1);
  expect(ctx.sent[0]).toMatchObject({
    id,
    to,
    from: ctx.config.MAIL_FROM,
    subject: `We have your request: L-${submission.number}`,
    headers: {
      "Message-ID": `<${id}@wrenfield.example>`,
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
    },
  });
  expect(await mailRow(ctx, id)).toMatchObject({
    status: "sent",
    sent_at: ctx.now(),
    params_enc: null,
    lease_until: null,
    attempts: 1,
  });
});

test("the id under which the provider sent a mail is kept, because an answer may name nothing else", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  ctx.outcomes.push({ kind: "sent", messageId: "0100-17@ses.example" });
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "sent", provider_message_id: "0100-17@ses.example" });
});

test("mail that somebody waits for overtakes what waited longer", async () => {
  const ctx = testContext();
  for (let count = 0; count < 20; count += 1) await queueMail(ctx);
  ctx.clock.advance(minutes(1));
  const urgent = await queueMail(ctx);
  await ctx.db.update(outbox).set({ priority: 0 }).where(eq(outbox.id, urgent.id));
  await deliverOutbox(ctx);
  expect(ctx.sent[0]?.id).toBe(urgent.id);
  expect(ctx.sent).toHaveLength(20);
});

test("a mail that is held back stays until its time has come", async () => {
  const ctx = testContext();
  await queueMail(ctx, { notBefore: ctx.now() + seconds(15) });
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  ctx.clock.advance(seconds(15));
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
});

test("a provider that is down gets the mail again later, within half a minute at first", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  ctx.outcomes.push({ kind: "transient", reason: "http_503" });
  expect(await deliverOutbox(ctx)).toMatchObject({ pending: 1 });
  const row = await mailRow(ctx, id);
  expect(row).toMatchObject({ status: "pending", attempts: 1, last_error: "http_503", lease_until: null });
  expect(row.next_at).toBeLessThan(ctx.now() + seconds(30));
  ctx.clock.advance(seconds(30));
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
  expect((await mailRow(ctx, id)).last_error).toBeNull();
});

test("a mail that fails eight times is given up and keeps no personal data", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  for (let failure = 1; failure <= MAX_ATTEMPTS; failure += 1) {
    ctx.outcomes.push({ kind: "transient", reason: "http_500" });
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(6));
  }
  expect(await mailRow(ctx, id)).toMatchObject({
    status: "dead",
    attempts: 8,
    params_enc: null,
    last_error: "http_500",
  });
  expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  expect(ctx.sent).toEqual([]);
});

test("wrong set-up never gives a mail up: it leaves within the hour of the repair", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  for (let failure = 0; failure < 12; failure += 1) {
    ctx.outcomes.push({ kind: "configuration", reason: "http_401" });
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
  }
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 0 });
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
});

test("a rejection for good is not tried again", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  ctx.outcomes.push({ kind: "permanent", reason: "E_RECIPIENT_SUPPRESSED" });
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", params_enc: null, attempts: 1 });
});

test("a provider that hangs holds up neither the drain nor the other mails", async () => {
  const ctx = testContext();
  const stuck = await queueMail(ctx);
  const fine = await queueMail(ctx);
  const usual = ctx.mailer.send;
  ctx.mailer = { ...ctx.mailer, send: (mail) => (mail.id === stuck.id ? never() : usual(mail)) };
  expect(await deliverOutbox(ctx, { sendTimeout: 30 })).toMatchObject({ sent: 1, pending: 1 });
  expect(ctx.sent.map(({ id }) => id)).toEqual([fine.id]);
  expect(await mailRow(ctx, stuck.id)).toMatchObject({ status: "pending", last_error: "timeout" });
});

test("a drain gives back in time what a slow provider keeps it from, without an attempt", async () => {
  const ctx = testContext();
  for (let count = 0; count < 20; count += 1) await queueMail(ctx);
  ctx.mailer = {
    ...ctx.mailer,
    send: async () => {
      ctx.clock.advance(seconds(2));
      return { kind: "unknown", reason: "timeout" };
    },
  };
  const { leased, pending } = await deliverOutbox(ctx);
  expect([leased, pending]).toEqual([20, 20]);
  const rows = await ctx.db.select().from(outbox);
  expect(rows.filter(({ lease_until, status }) => lease_until !== null || status !== "pending")).toEqual([]);
  expect(rows.filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(5);
  expect(rows.filter(({ attempts }) => attempts === 1).length).toBeGreaterThan(5);
});

test("a mail that is given back keeps its place before later ones, and why it has failed before", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  ctx.outcomes.push({ kind: "transient", reason: "http_503" });
  await deliverOutbox(ctx);
  ctx.clock.advance(seconds(30));
  const before = await mailRow(ctx, id);
  expect(await deliverOutbox(ctx, { beginWithin: -1 })).toMatchObject({ leased: 1, pending: 1 });
  expect(await mailRow(ctx, id)).toEqual(before);
  for (let count = 0; count < 19; count += 1) await queueMail(ctx);
  const { mails } = await leaseDueMail(ctx);
  expect(mails[0]?.id).toBe(id);
});

test("whatever a drain does not come to is given back in one trip", async () => {
  const ctx = testContext();
  for (let count = 0; count < 20; count += 1) await queueMail(ctx);
  const { trips } = ctx.cost;
  expect(await deliverOutbox(ctx, { beginWithin: -1 })).toMatchObject({ leased: 20, pending: 20 });
  expect(ctx.cost.trips - trips).toBeLessThan(5);
});

test("a provider that throws is an unclear answer, not the end of the drain", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx, { to: "dana@clinic.example" });
  ctx.mailer = { ...ctx.mailer, send: () => Promise.reject(new TypeError("no route to dana@clinic.example")) };
  expect(await deliverOutbox(ctx)).toMatchObject({ pending: 1 });
  expect(await mailRow(ctx, id)).toMatchObject({ last_error: "TypeError" });
});

test("a mail about a submission that was deleted meanwhile is given up alone", async () => {
  const ctx = testContext();
  const submission = await makeSubmission(ctx);
  const orphan = await queueMail(ctx, { submissionId: submission.id });
  const fine = await queueMail(ctx);
  await ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.id, submission.id));
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1, dead: 1 });
  expect(await mailRow(ctx, orphan.id)).toMatchObject({ status: "dead", params_enc: null });
  expect((await mailRow(ctx, fine.id)).status).toBe("sent");
});

test("a mail of a kind that only a newer version knows waits for it", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  await ctx.db.update(outbox).set({ kind: "quote-sent" }).where(eq(outbox.id, id));
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", last_error: "unknown_kind", attempts: 0 });
});

test("a mail sealed with a key that is missing waits, with its content, until the key is back", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx);
  const rightKey = ctx.config;
  ctx.config = { ...rightKey, DATA_KEK_1: rightKey.FORM_KEY_1 };
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", last_error: "unreadable" });
  ctx.config = rightKey;
  ctx.clock.advance(hours(1));
  expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
});

test("the log names a failed mail by its id and never by its recipient", async () => {
  const lines: unknown[] = [];
  const ctx = testContext({ log: (_level, fields) => lines.push(fields) });
  const { id } = await queueMail(ctx, { to: "dana@clinic.example" });
  ctx.outcomes.push({ kind: "permanent", reason: "http_422" });
  await deliverOutbox(ctx);
  expect(lines).toEqual([
    { event: "mail_dead", object_id: id, kind: "submission-received", reason: "http_422", count: 1 },
  ]);
});

test("a drain costs one trip to claim, one for all numbers and one for each mail", async () => {
  const ctx = testContext();
  for (let count = 0; count < 10; count += 1) await queueMail(ctx);
  const before = ctx.cost.trips;
  await deliverOutbox(ctx);
  expect(ctx.cost.trips - before).toBe(12);
});

test("claiming out of thousands reads what it takes, however much was sent and however much waits", async () => {
  const ctx = testContext();
  for (const status of ["sent", "pending"]) {
    await ctx.db.run(
      `insert into outbox(id, kind, to_hash, priority, status, next_at, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
       select '${status}_' || i, 'submission-received', 'x', i % 2, '${status}', i, 0 from n`,
    );
  }
  const before = ctx.cost.rowsRead;
  expect((await leaseDueMail(ctx)).mails).toHaveLength(20);
  expect(ctx.cost.rowsRead - before).toBeLessThan(200);
});
