import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { contactSubmissions } from "~/db/schema/submissions";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import { CONTACT_PURPOSE } from "~/features/submissions/intake/actions.server";
import { hours, minutes } from "~/lib/time";
import { action, loader } from "~/routes/_site.contact";
import { CONTACT_FIELDS } from "../support/contact-fields";
import { derive, type TestContext } from "../support/context";
import { agedToken, args, get, postMultipart } from "../support/requests";
import { visitorContext } from "../support/visitor";

let ctx: TestContext;

beforeEach(() => {
  ctx = visitorContext();
});

/** Sends the form, and returns the cookie that the browser has then. */
async function send(fields: Record<string, string> = {}, form_token = agedToken(ctx, CONTACT_PURPOSE)) {
  const response = (await action(
    args(ctx, postMultipart("/contact", { form_token, ...CONTACT_FIELDS, ...fields })),
  )) as Response;
  expect(response.status).toBe(303);
  return ctx.cookiesSet
    .findLast((header) => header.startsWith("__Host-sent="))
    ?.split(";")[0]
    ?.slice("__Host-sent=".length);
}

async function openedWith(cookie: string | undefined, path = "/contact?sent=1") {
  const cookies = new Map(cookie ? [["__Host-sent", cookie]] : []);
  const browser = derive(ctx, { request: { ...ctx.request, cookies } });
  return (await (await loader(args(browser, get(path)))).json()).sent;
}

test("whoever has just sent the form sees its number, the promised time and the estimate, also after a reload", async () => {
  // Wednesday, 9:00:03 in Chicago.
  const cookie = await send({ plan: "core", users: "12", lab: "4", secureStorage: "on" });
  const sent = await openedWith(cookie);
  expect(sent?.receipt).toMatchObject({
    number: expect.stringMatching(/^L-\d{4,}$/),
    replyBy: "Thursday, November 19, 9:00 AM CST",
    estimate: { total: 209_660 },
  });
  ctx.clock.advance(minutes(29));
  expect(await openedWith(cookie)).toEqual(sent);
});

test("the receipt says whether the copy is delayed, because the quota of the mail provider is used up", async () => {
  const cookie = await send();
  expect((await openedWith(cookie))?.receipt?.isMailDelayed).toBe(false);
  await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
  expect((await openedWith(cookie))?.receipt?.isMailDelayed).toBe(true);
  await endMailPause(ctx);
});

test("nobody else is congratulated: not without the cookie, not with a made-up one, not half an hour later", async () => {
  const cookie = (await send()) ?? "";
  const [nonce, issued, signature] = cookie.split(".");
  const later = String(Number(issued) + hours(1));
  const forged = [
    undefined,
    "",
    "x",
    `${nonce}.${issued}`,
    `${nonce}.${later}.${signature}`,
    `${"A".repeat(22)}.${issued}.${signature}`,
  ];
  for (const value of forged) expect(await openedWith(value)).toBeNull();
  ctx.clock.advance(minutes(30));
  expect(await openedWith(cookie)).toBeNull();
});

test("the form itself is one link away for somebody who has sent one", async () => {
  expect(await openedWith(await send(), "/contact")).toBeNull();
});

test("the second post of a double click leads to the same receipt", async () => {
  const token = agedToken(ctx, CONTACT_PURPOSE);
  const first = await openedWith(await send({}, token));
  ctx.clock.advance(minutes(5));
  expect(first?.receipt).not.toBeNull();
  expect(await openedWith(await send({}, token))).toEqual(first);
});

test("a rejected form gives no receipt", async () => {
  const form_token = agedToken(ctx, CONTACT_PURPOSE);
  await action(args(ctx, postMultipart("/contact", { form_token, ...CONTACT_FIELDS, email: "nope" })));
  expect(ctx.cookiesSet.filter((header) => header.startsWith("__Host-sent="))).toEqual([]);
});

test("a submission that is set aside gets a receipt like any other, so that a robot learns nothing", async () => {
  expect((await openedWith(await send({ website: "https://spam.example" })))?.receipt?.number).toMatch(/^L-/);
});

test("what was deleted meanwhile has no receipt any more", async () => {
  const cookie = await send();
  const number = (await openedWith(cookie))?.receipt?.number ?? "";
  await ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.number, Number(number.slice(2))));
  expect(await openedWith(cookie)).toBeNull();
});

test("while the database is down the page still says that the form was sent", async () => {
  const cookie = await send();
  const failing = {
    prepare: () => {
      throw new Error("D1_ERROR: Network connection lost");
    },
  } as unknown as D1Database;
  ctx = derive(ctx, { db: openDb({ reads: failing, counts: failing, writes: failing }) });
  expect(await openedWith(cookie)).toEqual({ receipt: null });
});
