import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { capturedMails, outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { listCapturedMails } from "~/features/mail/queries.server";
import { minutes } from "~/lib/time";
import type { Bindings } from "~/platform/env.server";
import { mailerFor, type OutgoingMail } from "~/platform/mailer.server";
import { bindings, testContext } from "../../support/context";
import { queueMail } from "../../support/outbox";

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
  expect((await listCapturedMails(ctx.db, "dana@clinic.example")).map(({ to }) => to)).toEqual(["dana@clinic.example"]);
  expect(await listCapturedMails(ctx.db, "clinic.example")).toEqual([]);
});

test("the same mail captured twice is one mail", async () => {
  const ctx = capturing();
  const mail: OutgoingMail = {
    id: ctx.newId("mail"),
    to: "dana@clinic.example",
    from: "Wrenfield <hello@wrenfield.example>",
    subject: "Twice",
    text: "",
    html: "",
    headers: {},
  };
  await ctx.mailer.send(mail);
  await ctx.mailer.send(mail);
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
