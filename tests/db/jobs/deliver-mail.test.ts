import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { quietHours } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { deliverMail } from "~/jobs/schedule";
import { seconds } from "~/lib/time";
import { testContext } from "../../support/context";
import { makePerson } from "../../support/factories";
import { queueMail, queueMails } from "../../support/outbox";

beforeEach(() => testContext().db.delete(outbox));

test("one run sends all due mails, in several batches, also where one among the first has to wait", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx);
  // It is nine in the morning in the site's zone.
  await ctx.db.insert(quietHours).values({ user_id: person.id, from_clock: "08:00", until_clock: "10:30" });
  const { id } = await queueMail(ctx);
  await ctx.db.update(outbox).set({ user_id: person.id, kind: "ticket-update", priority: 1 }).where(eq(outbox.id, id));
  await queueMails(ctx, 44);
  expect(await deliverMail(ctx)).toEqual({ count: 44 });
  expect(ctx.sent).toHaveLength(44);
});

test("with a slow provider a run ends before the next one starts", async () => {
  const ctx = testContext();
  await queueMails(ctx, 60);
  const { send } = ctx.mailer;
  ctx.mailer = {
    ...ctx.mailer,
    send: (mail) => {
      ctx.clock.advance(seconds(1));
      return send(mail);
    },
  };
  const startedAt = ctx.now();
  await deliverMail(ctx);
  // Five that have begun may take longer.
  expect(ctx.now() - startedAt).toBeLessThanOrEqual(seconds(35));
});
