import { expect, test } from "vitest";
import { deliverMail } from "~/jobs/deliver-mail.server";
import { seconds } from "~/lib/time";
import { testContext } from "../../support/context";
import { queueMail } from "../../support/outbox";

test("one run empties a queue that is longer than one drain", async () => {
  const ctx = testContext();
  for (let count = 0; count < 45; count += 1) await queueMail(ctx);
  expect(await deliverMail(ctx)).toEqual({ count: 45 });
  expect(ctx.sent).toHaveLength(45);
});

test("a slow provider is left to the next minute instead of piling up runs", async () => {
  const ctx = testContext();
  for (let count = 0; count < 60; count += 1) await queueMail(ctx);
  const usual = ctx.mailer.send;
  ctx.mailer = {
    ...ctx.mailer,
    send: (mail) => {
      ctx.clock.advance(seconds(1));
      return usual(mail);
    },
  };
  expect(await deliverMail(ctx)).toEqual({ count: 40 });
});
