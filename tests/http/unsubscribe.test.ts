import { expect, test } from "vitest";
import { notificationPreferences } from "~/db/schema/notifications";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { unsubscribePath } from "~/features/notifications/unsubscribe.server";
import { sendDailySummary } from "~/jobs/send-daily-summary.server";
import { days } from "~/lib/time";
import { checkRequest } from "~/platform/ingress-checks.server";
import { action, loader } from "~/routes/_auth.unsubscribe";
import { testContext } from "../support/context";
import { makePerson } from "../support/factories";
import { args, get } from "../support/requests";

const ORIGIN = "http://localhost:8787";
const oneClick = (path: string, body = "List-Unsubscribe=One-Click") =>
  new Request(ORIGIN + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });

test("the link of a summary ends it with one post of a mail program; opening it ends nothing, and it works twice", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx, { role: "moderator" });
  const other = await makePerson(ctx, { role: "admin" });
  for (const { id } of [person, other])
    await ctx.db
      .insert(notificationPreferences)
      .values({ user_id: id, event: "daily_summary", by_mail: true, in_app: false });
  await sendDailySummary(ctx);
  await deliverOutbox(ctx);
  const mail = ctx.sent.find(({ to }) => to === person.email);
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const address = /^<(http:\/\/localhost:8787)(\/unsubscribe\?token=[^>]+)>$/.exec(
    mail?.headers["List-Unsubscribe"] ?? "",
  );
  const path = address?.[2] ?? "";
  expect(mail?.text).toContain(`${ORIGIN}${path}`);

  expect((await loader(args(ctx, get(path)))).status).toBe(200);
  const next = async () => {
    ctx.clock.advance(days(1));
    ctx.sent.length = 0;
    await sendDailySummary(ctx);
    await deliverOutbox(ctx);
    return ctx.sent.map(({ to }) => to);
  };
  expect((await next()).sort()).toEqual([person.email, other.email].sort());

  // No cookie, no origin: it passes what is checked before any route, only here.
  expect(checkRequest(oneClick(path), ctx.config)).toBeNull();
  expect(checkRequest(oneClick("/solved"), ctx.config)).toMatchObject({ status: 403 });
  for (const _ of [1, 2]) {
    const answer = await action(args(ctx, oneClick(path)));
    expect([answer.status, answer.headers.get("Location")]).toEqual([200, null]);
  }
  expect(await next()).toEqual([other.email]);
});

test("no link is made into another person's, or ends mail that is no summary", async () => {
  const ctx = testContext();
  const [person, victim] = [await makePerson(ctx, { role: "admin" }), await makePerson(ctx, { role: "admin" })];
  const own = unsubscribePath(ctx.config, { userId: person.id, event: "daily_summary" });
  const rejected = [
    own.replace(person.id, victim.id),
    own.replace("daily_summary", "monthly_letter"),
    unsubscribePath(ctx.config, { userId: person.id, event: "security_alert" }),
    `${own}.`,
    "/unsubscribe",
  ];
  for (const path of rejected) {
    const context = testContext({ facts: { url: new URL(ORIGIN + path), method: "POST" } });
    await expect(Promise.resolve(action(args(context, oneClick(path)))), path).rejects.toMatchObject({ status: 404 });
  }
  const empty = testContext({ facts: { url: new URL(ORIGIN + own), method: "POST" } });
  await expect(Promise.resolve(action(args(empty, oneClick(own, "a=b"))))).rejects.toMatchObject({ status: 400 });
  expect(await ctx.db.select().from(notificationPreferences)).not.toContainEqual(
    expect.objectContaining({ user_id: victim.id }),
  );
});
