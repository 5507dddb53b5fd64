import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { notificationPreferences } from "~/db/schema/notifications";
import { capturedMails, outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { listCapturedMails } from "~/features/mail/queries.server";
import { sendDailySummary } from "~/jobs/send-daily-summary.server";
import { hours, minutes } from "~/lib/time";
import type { Bindings } from "~/platform/env.server";
import { mailerFor } from "~/platform/mailer.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson } from "../../support/factories";
import { queueMail } from "../../support/outbox";

describe("mails that wait", () => {
  // Captured mails are listed from the whole table.
  beforeEach(async () => {
    const { db } = testContext();
    await db.batch([db.delete(outbox), db.delete(capturedMails)]);
  });

  /** Creates a context in which mail is captured as it is on a developer's machine. */
  function capturing() {
    const ctx = testContext();
    ctx.mailer = mailerFor(bindings as Bindings, { ...ctx.config, MAIL_PROVIDER: "capture" }, ctx.db, ctx.now);
    return ctx;
  }

  test("a captured mail can be read with everything it would have carried", async () => {
    const ctx = capturing();
    const { id, to } = await queueMail(ctx);
    await deliverOutbox(ctx);
    const [mail] = await listCapturedMails(ctx.db, to);
    expect(mail).toMatchObject({ id, to, from: ctx.config.MAIL_FROM, status: "sent", created_at: ctx.now() });
    expect(mail?.subject).toMatch(/^We have your request: L-\d+$/);
    expect(mail?.text).toContain("What to Expect");
    expect(mail?.html).toContain("<h2>What to Expect</h2>");
    expect(mail?.headers).toMatchObject({ "Auto-Submitted": "auto-generated" });
  });

  test("captured mails come newest first, those of one millisecond in the order of their capture", async () => {
    const ctx = capturing();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      if (count === 2) ctx.clock.advance(minutes(1));
      ids.push((await queueMail(ctx)).id);
      await deliverOutbox(ctx);
    }
    expect((await listCapturedMails(ctx.db, null)).map(({ id }) => id)).toEqual(ids.reverse());
  });

  test("the filter takes the exact address only", async () => {
    const ctx = capturing();
    await queueMail(ctx, { to: "dana@clinic.example" });
    await queueMail(ctx, { to: "adana@clinic.example" });
    await deliverOutbox(ctx);
    expect(await listCapturedMails(ctx.db, "dana@clinic.example")).toMatchObject([{ to: "dana@clinic.example" }]);
    expect(await listCapturedMails(ctx.db, "clinic.example")).toEqual([]);
  });

  test("the same mail captured twice is one mail", async () => {
    const ctx = capturing();
    const texts = { from: "Wrenfield <hello@wrenfield.example>", subject: "Twice", text: "", html: "", headers: {} };
    const mail = { id: ctx.newId("mail"), to: "dana@clinic.example", ...texts };
    for (let times = 0; times < 2; times += 1) await ctx.mailer.send(mail);
    expect(await listCapturedMails(ctx.db, null)).toHaveLength(1);
  });

  test("a mail whose outbox row is gone counts as sent; one that is not yet recorded as sending", async () => {
    const ctx = capturing();
    const { id } = await queueMail(ctx);
    await deliverOutbox(ctx);
    await ctx.db.update(outbox).set({ status: "sending" }).where(eq(outbox.id, id));
    expect(await listCapturedMails(ctx.db, null)).toMatchObject([{ status: "sending" }]);
    await ctx.db.delete(outbox).where(eq(outbox.id, id));
    expect(await listCapturedMails(ctx.db, null)).toMatchObject([{ status: "sent" }]);
  });

  test("no more than two hundred captured mails are read", async () => {
    const ctx = capturing();
    await ctx.db.run(
      `insert into captured_mails("id", "to", "from", "subject", "text", "html", "headers_json", "created_at")
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
     select 'm' || i, 'a@b.example', 'c@d.example', 's', 't', 'h', '{}', i from n`,
    );
    const before = ctx.cost.rowsRead;
    const mails = await listCapturedMails(ctx.db, null);
    expect(mails).toHaveLength(200);
    expect(mails[0]?.id).toBe("m300");
    expect(ctx.cost.rowsRead - before).toBeLessThanOrEqual(600);
  });
});

describe("who may read what a mail says", () => {
  const HALF = hours(0.5);

  let ctx: TestContext;

  beforeEach(async () => {
    ctx = testContext();
    await ctx.db.delete(outbox);
    await ctx.db.run(sql`DELETE FROM user_roles`);
  });

  /** Lets the provider fail for each mail that waits, and returns who gets one at the next attempt. */
  async function toldAfter(change: () => Promise<unknown>): Promise<string[]> {
    ctx.outcomes.push(...Array.from({ length: 10 }, () => ({ kind: "transient", reason: "http_503" }) as const));
    const { pending } = await deliverOutbox(ctx);
    expect(pending).toBe(2);
    ctx.outcomes.length = 0;
    await change();
    ctx.clock.advance(HALF);
    await deliverOutbox(ctx);
    return ctx.sent.map(({ to }) => to);
  }

  test("a letter that waits does not reach who has left the organization or is no admin of it any more", async () => {
    const organization = await makeOrganization(ctx);
    const people = [await makePerson(ctx), await makePerson(ctx)];
    const [left] = people;
    for (const person of people) await makeMember(ctx, organization.id, person, "admin");
    const data = {
      ...{ title: "November", organization: "Larkspur Row", verdict: "Fine", sentences: [], numbers: [], misses: [] },
      ...{ signedBy: "Sam Lee", path: "/client/letters/let_1", unsubscribePath: null },
    };
    const about = { type: "organization", id: organization.id } as const;
    const mails = people.map(({ id, email }) => ({ to: email, reader: id, about, data }));
    await commit(ctx.db, enqueueMails(ctx, "letter", mails));
    const told = await toldAfter(() =>
      ctx.db.run(sql`UPDATE organization_memberships SET role = 'member' WHERE user_id = ${left?.id}`),
    );
    expect(told).toEqual([people[1]?.email]);
    expect(await ctx.db.$count(outbox)).toBe(1);
  });

  test("a summary that waits does not reach who no longer works here", async () => {
    const people = [await makePerson(ctx, { role: "moderator" }), await makePerson(ctx, { role: "admin" })];
    await ctx.db
      .insert(notificationPreferences)
      .values(people.map(({ id }) => ({ user_id: id, event: "daily_summary", by_mail: true, in_app: false })));
    ctx.clock.advance(-hours(1));
    expect(await sendDailySummary(ctx)).toEqual({ count: 2 });
    const told = await toldAfter(() =>
      ctx.db.update(users).set({ status: "deactivated" }).where(sql`id = ${people[0]?.id}`),
    );
    expect(told).toEqual([people[1]?.email]);
  });
});
