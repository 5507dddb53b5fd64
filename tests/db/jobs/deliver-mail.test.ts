import { expect, test } from "vitest";
import { deliverMail } from "~/jobs/deliver-mail.server";
import { seconds } from "~/lib/time";
import { testContext } from "../../support/context";
import { queueMail } from "../../support/outbox";

test("one run sends all due mails, in several batches", async () => {
  const ctx = testContext();
  for (let count = 0; count < 45; count += 1) await queueMail(ctx);
  expect(await deliverMail(ctx)).toEqual({ count: 45 });
  expect(ctx.sent).toHaveLength(45);
});

test("with a slow provider a run ends before the next one starts", async () => {
  const ctx = testContext();
  for (let count = 0; count < 60; count += 1) await queueMail(ctx);
  const { send } = ctx.mailer;
  ctx.mailer = {
    ...ctx.mailer,
    send: (mail) => {
      ctx.clock.advance(seconds(1));
      return send(mail);
    },
  };
  expect(await deliverMail(ctx)).toEqual({ count: 40 });
});
