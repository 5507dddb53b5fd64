import { expect, test } from "vitest";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { mailerFor } from "~/platform/mailer.server";
import { loader as showMails } from "~/routes/dev.mail";
import { loader as listMails } from "~/routes/dev.mail[.]json";
import { bindings, testContext } from "../support/context";
import { queueMail } from "../support/outbox";
import { args, get, thrownBy } from "../support/requests";

test.each([
  ["/dev/mail", showMails],
  ["/dev/mail.json", listMails],
])("%s does not exist in production, nor in a rehearsal, which keeps its mails", async (path, loader) => {
  for (const APP_ENV of ["production", "rehearsal"] as const) {
    const ctx = testContext();
    ctx.config = { ...ctx.config, APP_ENV };
    expect((await thrownBy(loader(args(ctx, get(path))))).status).toBe(404);
  }
});

test("scripts read captured mails as an array with exactly the promised fields, newest first", async () => {
  const ctx = testContext();
  ctx.mailer = mailerFor(bindings, ctx.config, ctx.db, ctx.now);
  const older = await queueMail(ctx);
  await deliverOutbox(ctx);
  const newer = await queueMail(ctx);
  await deliverOutbox(ctx);
  const response = await listMails(args(ctx, get("/dev/mail.json")));
  const mails = (await response.json()) as Record<string, unknown>[];
  expect(mails.map(({ id }) => id)).toEqual([newer.id, older.id]);
  for (const mail of mails) {
    expect(Object.keys(mail).sort()).toEqual(
      ["created_at", "from", "headers", "html", "id", "status", "subject", "text", "to"].sort(),
    );
  }
  const filtered = await listMails(args(ctx, get(`/dev/mail.json?to=${encodeURIComponent(older.to)}`)));
  expect(await filtered.json()).toMatchObject([{ id: older.id, to: older.to }]);
});
