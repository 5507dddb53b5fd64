import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit, expectRow } from "~/db/client.server";
import { mailPauses, outbox } from "~/db/schema/outbox";
import { contactSubmissions } from "~/db/schema/submissions";
import { tickets } from "~/db/schema/tickets";
import { checkHealth, getSystemStatus } from "~/features/health/system-status.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { decryptParams, enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import { leaseDueMail, MAX_ATTEMPTS } from "~/features/mail/lease-outbox.server";
import { readMailPause } from "~/features/mail/mail-pause.server";
import { MESSAGE_LIMIT } from "~/features/tickets/model";
import { dispatch } from "~/jobs/dispatch.server";
import { deliverMail } from "~/jobs/schedule";
import { hours, minutes, seconds } from "~/lib/time";
import type { Mailer, SendOutcome } from "~/platform/mailer.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";
import { mailRow, queueMail, queueMails } from "../../support/outbox";
import { announcementWorld, asClient, collectedMails } from "../../support/ticket-announcements";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  // A drain takes whatever is due, so mails of an earlier test would be in the way.
  await ctx.db.delete(outbox);
  await ctx.db.delete(mailPauses);
});

const never = () => new Promise<never>(() => undefined);

const setRow = (id: string, changes: Partial<typeof outbox.$inferInsert>) =>
  ctx.db.update(outbox).set(changes).where(eq(outbox.id, id));

describe("the outbox", () => {
  test("a queued mail shows nobody who it is for, leaves with its number, says that no machine should answer, and keeps no personal data", async () => {
    const submission = await makeSubmission(ctx);
    const { id, to } = await queueMail(ctx, { to: "dana@clinic.example", submissionId: submission.id });
    expect(JSON.stringify(await mailRow(ctx, id))).not.toMatch(/dana|clinic|Priya/);
    ctx.outcomes.push({ kind: "sent", messageId: "0100-17@ses.example" });
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
      ...{ status: "sent", sent_at: ctx.now(), params_enc: null, lease_until: null, attempts: 1 },
      // An answer may name nothing else.
      provider_message_id: "0100-17@ses.example",
    });
  });

  test("mail that somebody waits for overtakes what waited longer", async () => {
    await queueMails(ctx, 20);
    ctx.clock.advance(minutes(1));
    const urgent = await queueMail(ctx);
    await setRow(urgent.id, { priority: 0 });
    await deliverOutbox(ctx);
    expect(ctx.sent[0]?.id).toBe(urgent.id);
    expect(ctx.sent).toHaveLength(20);
  });

  test("a mail that is held back stays until its time has come", async () => {
    await queueMail(ctx, { notBefore: ctx.now() + seconds(15) });
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    ctx.clock.advance(seconds(15));
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
  });

  test("a provider that is down gets the mail again later, within half a minute at first", async () => {
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

  test.each<[string, SendOutcome["kind"], { tries: number; every: number; isDead: boolean; attempts: number }]>([
    ["is rejected for good is not tried again", "permanent", { tries: 1, every: 6, isDead: true, attempts: 1 }],
    ["fails eight times is given up", "transient", { tries: 8, every: 6, isDead: true, attempts: 8 }],
    [
      "meets a wrong set-up leaves within an hour",
      "configuration",
      { tries: 12, every: 1, isDead: false, attempts: 0 },
    ],
    ["comes too fast is never given up", "rate_limited", { tries: 16, every: 1, isDead: false, attempts: 0 }],
  ])("a mail that %s, and keeps no personal data when it is dead", async (_, kind, of) => {
    const { tries, every, isDead, attempts } = of;
    const { id } = await queueMail(ctx);
    for (let attempt = 0; attempt < tries; attempt += 1) {
      ctx.outcomes.push({ kind, reason: "E_SOME" } as SendOutcome);
      await deliverOutbox(ctx);
      ctx.clock.advance(hours(every));
    }
    const row = await mailRow(ctx, id);
    expect(row).toMatchObject({ status: isDead ? "dead" : "pending", attempts, last_error: "E_SOME" });
    expect([row.params_enc === null, await readMailPause(ctx.db)]).toEqual([isDead, null]);
    expect(await deliverOutbox(ctx)).toMatchObject(isDead ? { leased: 0 } : { sent: 1 });
  });

  test("a provider that hangs holds up neither the drain nor the other mails", async () => {
    const stuck = await queueMail(ctx);
    const fine = await queueMail(ctx);
    const usual = ctx.mailer.send;
    ctx.mailer = { ...ctx.mailer, send: (mail) => (mail.id === stuck.id ? never() : usual(mail)) };
    expect(await deliverOutbox(ctx, { sendTimeout: 30 })).toMatchObject({ sent: 1, pending: 1 });
    expect(ctx.sent.map(({ id }) => id)).toEqual([fine.id]);
    expect(await mailRow(ctx, stuck.id)).toMatchObject({ status: "pending", last_error: "timeout" });
  });

  test("a drain gives back in time what a slow provider keeps it from, without an attempt", async () => {
    await queueMails(ctx, 20);
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

  test("mails are given back in one trip, and each keeps its place before later ones, and why it has failed before", async () => {
    const { id } = await queueMail(ctx);
    ctx.outcomes.push({ kind: "transient", reason: "http_503" });
    await deliverOutbox(ctx);
    ctx.clock.advance(seconds(30));
    const before = await mailRow(ctx, id);
    await queueMails(ctx, 19);
    const { trips } = ctx.cost;
    expect(await deliverOutbox(ctx, { beginWithin: -1 })).toMatchObject({ leased: 20, pending: 20 });
    expect(ctx.cost.trips - trips).toBeLessThan(5);
    expect(await mailRow(ctx, id)).toEqual(before);
    const { mails } = await leaseDueMail(ctx);
    expect(mails[0]?.id).toBe(id);
  });

  test("a provider that throws is an unclear answer, not the end of the drain", async () => {
    const { id } = await queueMail(ctx, { to: "dana@clinic.example" });
    ctx.mailer = { ...ctx.mailer, send: () => Promise.reject(new TypeError("no route to dana@clinic.example")) };
    expect(await deliverOutbox(ctx)).toMatchObject({ pending: 1 });
    expect(await mailRow(ctx, id)).toMatchObject({ last_error: "TypeError" });
  });

  test("a mail about a submission that was deleted meanwhile is given up alone", async () => {
    const submission = await makeSubmission(ctx);
    const orphan = await queueMail(ctx, { submissionId: submission.id });
    const fine = await queueMail(ctx);
    await ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.id, submission.id));
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1, dead: 1 });
    expect(await mailRow(ctx, orphan.id)).toMatchObject({ status: "dead", params_enc: null });
    expect((await mailRow(ctx, fine.id)).status).toBe("sent");
  });

  test("a mail of a kind that only a newer version knows waits for it", async () => {
    const { id } = await queueMail(ctx);
    await setRow(id, { kind: "quote-sent" });
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", last_error: "unknown_kind", attempts: 0 });
  });

  test("a mail sealed with a key that is missing waits, with its content, until the key is back", async () => {
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
    ctx = testContext({ log: (_level, fields) => lines.push(fields) });
    const { id } = await queueMail(ctx, { to: "dana@clinic.example" });
    ctx.outcomes.push({ kind: "permanent", reason: "http_422" });
    await deliverOutbox(ctx);
    expect(lines).toEqual([
      { event: "mail_dead", object_id: id, kind: "submission-received", reason: "http_422", count: 1 },
    ]);
  });

  test("a drain costs one trip to claim, one for all numbers and one for each mail", async () => {
    await queueMails(ctx, 10);
    const before = ctx.cost.trips;
    await deliverOutbox(ctx);
    expect(ctx.cost.trips - before).toBe(12);
  });

  test("claiming out of thousands reads what it takes, however much was sent and however much waits", async () => {
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
});

describe("delivering once", () => {
  /** Gives the context a provider that cannot recognize a repeated send. */
  function useCautiousProvider(send: Mailer["send"] = ctx.mailer.send) {
    ctx.mailer = { provider: "cloudflare", isIdempotent: false, send };
  }

  test("two drains at once send each mail once", async () => {
    const queued = await queueMails(ctx, 30);
    const reports = await Promise.all([deliverOutbox(ctx), deliverOutbox(ctx), deliverOutbox(ctx)]);
    expect(ctx.sent.map(({ id }) => id).sort()).toEqual(queued.sort());
    expect(reports.map(({ leased }) => leased).sort()).toEqual([0, 10, 20]);
  });

  test("no answer from a provider that cannot recognize a second send: a person decides", async () => {
    useCautiousProvider(never);
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
    useCautiousProvider(async (mail) => {
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
    useCautiousProvider();
    const { id } = await queueMail(ctx);
    const lease = { attempts: 1, lease_until: ctx.now() + minutes(1), send_attempted_at: ctx.now() };
    await setRow(id, { status: "sending", ...lease });
    await deliverOutbox(ctx);
    expect((await mailRow(ctx, id)).status).toBe("sending");
    ctx.clock.advance(minutes(1) + 1);
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "uncertain", last_error: "interrupted" });
    expect(ctx.sent).toEqual([]);
  });

  test("a worker that dies before the provider was called loses nothing", async () => {
    useCautiousProvider();
    const { id } = await queueMail(ctx);
    await setRow(id, { status: "sending", attempts: 1, lease_until: ctx.now() + minutes(1) });
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    ctx.clock.advance(minutes(1) + 1);
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
    expect(await mailRow(ctx, id)).toMatchObject({ status: "sent", attempts: 2 });
  });

  test("a mail that kills its worker again and again is given up without another call", async () => {
    const { id } = await queueMail(ctx);
    await setRow(id, { status: "sending", attempts: MAX_ATTEMPTS });
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", last_error: "interrupted_too_often" });
    expect(ctx.sent).toEqual([]);
  });

  test("an answer that comes after the lease has run out is still written down when it is a yes", async () => {
    const { id } = await queueMail(ctx);
    const usual = ctx.mailer.send;
    ctx.mailer = {
      ...ctx.mailer,
      send: async (mail) => {
        ctx.clock.advance(minutes(2));
        await setRow(mail.id, { lease_until: ctx.now() + minutes(1) });
        return usual(mail);
      },
    };
    await deliverOutbox(ctx);
    expect((await mailRow(ctx, id)).status).toBe("sent");
  });

  test("a failure that comes after another drain took over changes nothing", async () => {
    const { id } = await queueMail(ctx);
    const theirs = ctx.now() + minutes(3);
    ctx.mailer = {
      ...ctx.mailer,
      send: async () => {
        await setRow(id, { lease_until: theirs });
        return { kind: "permanent", reason: "http_422" };
      },
    };
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id)).toMatchObject({ status: "sending", lease_until: theirs });
  });
});

describe("a used-up quota", () => {
  const QUOTA: SendOutcome = { kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" };

  /** Says whether the provider's quota is used up, and counts what it was asked to send. */
  let provider: { isEmpty: boolean; calls: string[] };

  beforeEach(() => {
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

  const rows = () => ctx.db.select().from(outbox);

  test("once the quota is used up, the mails that are not on their way yet are not even tried", async () => {
    await queueMails(ctx, 20);
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 20, sent: 0, pending: 20, dead: 0 });
    expect(provider.calls.length).toBeLessThanOrEqual(5);
    const waiting = { status: "pending", attempts: 0, lease_until: null };
    expect(await rows()).toMatchObject(Array.from({ length: 20 }, () => waiting));
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    await queueMail(ctx);
    await deliverOutbox(ctx);
    expect(provider.calls.length).toBeLessThanOrEqual(5);
  });

  test("what is sent before the quota is used up stays sent", async () => {
    const [first] = await queueMails(ctx, 20);
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
    const ids = await queueMails(ctx, 3);
    for (let hour = 0; hour < 3 * 24; hour += 3) {
      await deliverOutbox(ctx);
      ctx.clock.advance(hours(3));
    }
    expect(provider.calls.length).toBeGreaterThan(MAX_ATTEMPTS);
    for (const id of ids) expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 0 });
    provider.isEmpty = false;
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 3 });
  });

  test("during the pause one mail is tried at a time, and it is what somebody waits for", async () => {
    await queueMails(ctx, 5);
    await deliverOutbox(ctx);
    await queueReset("mail_reset");
    ctx.clock.advance(minutes(30));
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
    provider.calls = [];
    ctx.clock.advance(minutes(30));
    await setRow("mail_reset", { created_at: ctx.now() });
    await deliverOutbox(ctx);
    expect(provider.calls).toEqual(["mail_reset"]);
    expect(await deliverOutbox(ctx)).toMatchObject({ leased: 0 });
  });

  test("of drains at once only one tries", async () => {
    await queueMails(ctx, 25);
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
    provider.calls = [];
    await Promise.all(Array.from({ length: 8 }, () => deliverOutbox(ctx)));
    expect(provider.calls).toHaveLength(1);
  });

  test("when the quota is back, what somebody waits for leaves first, and the rest follows at once", async () => {
    const ids = await queueMails(ctx, 5);
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
    await queueReset("mail_urgent");
    provider.isEmpty = false;
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 6 });
    expect(ctx.sent.map(({ id }) => id)).toEqual(["mail_urgent", ...ids]);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test("a mail that is rejected for itself does not keep the others from being tried", async () => {
    const [bad, good] = await queueMails(ctx, 2);
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
    const [id] = await queueMails(ctx, 1);
    await deliverOutbox(ctx);
    expect(await mailRow(ctx, id ?? "")).toMatchObject({ status: "pending", send_attempted_at: null });
    ctx.clock.advance(hours(1));
    provider.isEmpty = false;
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
  });

  test("a link that has expired while the mail waited is not sent any more, and holds no other mail up", async () => {
    const ids = await queueMails(ctx, 1);
    for (let index = 0; index < 6; index += 1) await queueReset(`mail_old_${index}`);
    await deliverOutbox(ctx);
    ctx.clock.advance(hours(1));
    provider.isEmpty = false;
    expect(await deliverOutbox(ctx)).toMatchObject({ sent: 1 });
    expect(ctx.sent.map(({ id }) => id)).toEqual(ids);
    expect((await rows()).map(({ id }) => id)).toEqual(ids);
  });

  test("a pause in which nothing waits any more is over when it is time to try", async () => {
    await queueMails(ctx, 1);
    await deliverOutbox(ctx);
    await ctx.db.delete(outbox);
    await deliverMail(ctx);
    expect(await readMailPause(ctx.db)).not.toBeNull();
    ctx.clock.advance(hours(1));
    await deliverMail(ctx);
    expect(await readMailPause(ctx.db)).toBeNull();
  });

  test("the health page says how many mails wait for the quota, since when, and when the next one is tried", async () => {
    await queueMails(ctx, 3);
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
});

test("many long replies that all staff hear of leave, as much of them as fits, and hold up no other mail", async () => {
  const announced = await announcementWorld();
  ctx = announced.ctx;
  const { world } = announced;
  for (let count = 0; count < 20; count += 1) await makePerson(ctx, { role: "moderator" });
  await ctx.db.update(tickets).set({ assigned_to: null });
  for (let count = 0; count < 8; count += 1) await world.write(asClient(world.client), "漢".repeat(MESSAGE_LIMIT));
  const other = await queueMail(ctx, { notBefore: ctx.now() + minutes(2) });
  await collectedMails(ctx);
  await deliverOutbox(ctx);
  const toStaff = ctx.sent.filter(({ id }) => id !== other.id);
  expect([toStaff.length, ctx.sent.length]).toEqual([22, 23]);
  for (const { text } of toStaff) {
    // Each is told, and two of them in full.
    expect(text.split("wrote:")).toHaveLength(9);
    expect([...text].filter((character) => character === "漢")).toHaveLength(2 * MESSAGE_LIMIT);
  }
});

test("a mail that cannot be composed is tried again alone, and at last given up", async () => {
  const announced = await announcementWorld();
  ctx = announced.ctx;
  const { world } = announced;
  await world.write(asClient(world.client), "Still broken");
  const [{ id } = { id: "" }] = await ctx.db.select({ id: outbox.id }).from(outbox);
  const { composeMails } = ctx.subjects.ticket;
  ctx.subjects = {
    ...ctx.subjects,
    ticket: {
      ...ctx.subjects.ticket,
      composeMails: async (composer, ids) => {
        if (ids.includes(id)) throw new RangeError("Nobody can write this");
        return composeMails?.(composer, ids) ?? new Map();
      },
    },
  };
  const other = await queueMail(ctx, { notBefore: ctx.now() + minutes(2) });
  expect((await collectedMails(ctx)).map((mail) => mail.id)).toEqual([other.id]);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 1, last_error: "not_composed" });
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    ctx.clock.advance(hours(6));
    await deliverOutbox(ctx);
  }
  expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", params_enc: null });
});

test("what was sealed for one mail cannot be read as another", async () => {
  const [one, other] = [await queueMail(ctx), await queueMail(ctx)];
  const { params_enc } = await mailRow(ctx, one.id);
  expect(decryptParams(ctx, one.id, params_enc ?? "")).toContain(one.to);
  expect(() => decryptParams(ctx, other.id, params_enc ?? "")).toThrow();
});

test("a mail whose change was rejected does not exist", async () => {
  const data = { firstName: "Priya", message: null, estimate: [], replyBy: null };
  const written = await commit(ctx.db, [
    expectRow(ctx.db, contactSubmissions, eq(contactSubmissions.id, "sub_never")),
    enqueueMail(ctx, "submission-received", {
      to: "a@b.example",
      about: { type: "submission", id: "sub_never" },
      data,
    }),
  ]);
  expect([written, await ctx.db.$count(outbox)]).toEqual([false, 0]);
});

test("rows of one recipient can be found without knowing the address", async () => {
  const { id } = await queueMail(ctx, { to: "noor@littleoaks.example" });
  const rows = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(eq(outbox.to_hash, recipientHash(ctx, " Noor@LittleOaks.example ")));
  expect(rows).toEqual([{ id }]);
});
