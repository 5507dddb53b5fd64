import { desc, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { contactSubmissions } from "~/db/schema/submissions";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import { CONTACT_PURPOSE, type ContactFormError } from "~/features/submissions/intake/actions.server";
import { countSubmissions, findSubmission } from "~/features/submissions/queries.server";
import { hours, minutes, seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_site.contact";
import { CONTACT_FIELDS, type ContactPost, contactPost, sendContact } from "../support/contact-posts";
import { bindings, derive, type TestContext, testContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makePerson } from "../support/factories";
import { agedToken, args, get, postMultipart } from "../support/requests";
import { visitorContext } from "../support/visitor";

let ctx: TestContext;

beforeEach(() => {
  ctx = visitorContext();
});

const { website: _honeypot, ...TYPED } = CONTACT_FIELDS;
const MIB = 1024 * 1024;
const FILE_SENTENCE = "Attach a PDF, DOC or DOCX file of at most 5 MB.";

const plan = (size: number) => ({ name: "plan.pdf", bytes: pdf("x".repeat(size - 9)) });

/** Sends the form with a token that is old enough. */
const send = (sent?: ContactPost, context = ctx) => sendContact(context, sent);

const errorOf = async (response: Response) => (await response.json()) as ContactFormError;

const stored = async () => {
  const counts = await countSubmissions(ctx.db);
  return counts.all + counts.held;
};

test("a complete form leads, in four round trips to the database, to the page that says so", async () => {
  // That an address has sent too many takes one more to find out.
  const response = await send({ fields: { email: "first@larkspur.example" } });
  expect(ctx.cost.trips).toBe(4);
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/contact?sent=1#contact-form");
});

test.each([
  ["first_name", "   ", "First name is required", "Validation Error"],
  ["last_name", "", "Last name is required", "Validation Error"],
  ["email", "", "Email is required", "Validation Error"],
  ["email", "priya@larkspur", "Please enter a valid email address", "Validation Error"],
  ["email", "pri ya@larkspur.example", "Please enter a valid email address", "Validation Error"],
  ["email", "a?bcc=evil@larkspur.example", "Please enter a valid email address", "Validation Error"],
  ["agreed_to_terms", "", "Please agree to the terms and conditions", "Terms Agreement Required"],
  ["message", "x".repeat(10_001), "Message can have at most 10,000 characters", "Validation Error"],
  ["company", "x".repeat(201), "Company can have at most 200 characters", "Validation Error"],
  ["phone", "5".repeat(41), "Phone can have at most 40 characters", "Validation Error"],
  ["first_name", "x".repeat(101), "First name can have at most 100 characters", "Validation Error"],
])("%s = %j is rejected with its own sentence, stores nothing and gives no receipt", async (field, value, sentence, title) => {
  const before = await stored();
  const response = await send({ fields: { [field]: value } });
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({
    title,
    errors: { [field]: sentence },
    values: { message: expect.any(String) },
  });
  expect(await stored()).toBe(before);
  expect(ctx.cookiesSet.filter((header) => header.startsWith("__Host-sent="))).toEqual([]);
});

test("an empty form names every required field in the order of the specification, lengths last", async () => {
  const nothing = { first_name: "", last_name: "", email: "", agreed_to_terms: "", company: "x".repeat(300) };
  const { errors, title } = await errorOf(await send({ fields: nothing }));
  expect(Object.keys(errors)).toEqual(["first_name", "last_name", "email", "agreed_to_terms", "company"]);
  expect(title).toBe("Validation Error");
});

test("what was typed comes back with the errors, the machinery does not", async () => {
  const { values } = await errorOf(await send({ fields: { email: "nope", message: "Keep <b>this</b>" } }));
  expect(values).toMatchObject({ first_name: "Priya", email: "nope", message: "Keep <b>this</b>" });
  expect(values).not.toHaveProperty("form_token");
  expect(values).not.toHaveProperty("website");
});

test.each([
  ["no token", () => null],
  ["a token that somebody made up", () => "v1.1.contact.1.abc.def"],
  ["a token altered by one letter", () => altered(agedToken(ctx, CONTACT_PURPOSE))],
  ["the token of another form", () => agedToken(ctx, "sign-in")],
  ["a token that is two seconds too young", () => issueFormToken(ctx, CONTACT_PURPOSE)],
  ["a token that is a day too old", () => outdated(agedToken(ctx, CONTACT_PURPOSE))],
  ["a token behind the file", () => null],
])("with %s the form comes back with what was typed, and nothing is stored, nor its file", async (name, tokenOf) => {
  const put = vi.spyOn(ctx.files, "put");
  const before = await stored();
  const form = contactPost(ctx, { token: tokenOf(), file: plan(20_000) });
  const body = await form.formData();
  if (name.endsWith("behind the file")) body.append("form_token", agedToken(ctx, CONTACT_PURPOSE));
  const response = (await action(args(ctx, new Request(form.url, { method: "POST", body })))) as Response;
  expect(response.status).toBe(400);
  expect(await errorOf(response)).toMatchObject({
    title: "Security Error",
    errors: { form: "Please complete the security verification" },
    values: { message: CONTACT_FIELDS.message },
    token: null,
  });
  expect(await stored()).toBe(before);
  expect(put).not.toHaveBeenCalled();
});

const altered = (token: string) => token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");

function outdated(token: string): string {
  ctx.clock.advance(hours(25));
  return token;
}

test.each([
  ["a field that was wrong", { fields: { email: "nope" } }],
  ["a file that was too large", { file: plan(6 * MIB) }],
])("a form that came back because of %s may be corrected with the token it already has", async (_, sent) => {
  const token = agedToken(ctx, CONTACT_PURPOSE);
  expect((await errorOf(await send({ ...sent, token }))).token).toBe(token);
  expect((await send({ token })).status).toBe(303);
});

test.each([
  ["a filled honeypot", { website: "https://spam.example" }],
  ["six links", { message: "https://www.clinic.example/ ".repeat(6) }],
  ["forum mark-up", { message: "[url=https://a.example]cheap[/url]" }],
])("%s is answered like success and set aside", async (_, fields) => {
  const before = await countSubmissions(ctx.db);
  expect((await send({ fields })).status).toBe(303);
  expect(await countSubmissions(ctx.db)).toEqual({ ...before, held: before.held + 1 });
});

test("a bot that leaves the honeypot out altogether is set aside too, and a message with five links is counted", async () => {
  const before = await countSubmissions(ctx.db);
  const request = postMultipart("/contact", { form_token: agedToken(ctx, CONTACT_PURPOSE), ...TYPED });
  expect(((await action(args(ctx, request))) as Response).status).toBe(303);
  await send({ fields: { email: "links@larkspur.example", message: "https://www.clinic.example/ ".repeat(5) } });
  expect(await countSubmissions(ctx.db)).toMatchObject({ held: before.held + 1, all: before.all + 1 });
});

test.each([
  ["a page that calls itself a PDF", { name: "plan.pdf", bytes: "<html>" }],
  ["a program", { name: "plan.exe", bytes: "MZ" }],
  ["an empty file", { name: "plan.pdf", bytes: "" }],
  ["a page that calls itself a Word document", { name: "plan.docx", bytes: "<html>" }],
  ["a file of 5 MiB and a byte", plan(5 * MIB + 1)],
  ["a file of 9 MiB", plan(9 * MIB)],
])("%s is rejected at the file field, with everything typed, and nothing is stored", async (_, file) => {
  const before = await stored();
  const response = await send({ file });
  expect(response.status).toBe(400);
  const { errors, values } = await errorOf(response);
  expect([errors, values]).toMatchObject([{ file: FILE_SENTENCE }, TYPED]);
  expect(Object.keys(errors)).toEqual(["file"]);
  expect(await stored()).toBe(before);
});

test("the twenty-first submission of a network within an hour is told when to come back, before its file is kept", async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) await send({ fields: { email: "nope" } });
  const put = vi.spyOn(ctx.files, "put");
  const response = await send({ file: plan(2_000) });
  expect(response.status).toBe(429);
  expect(put).not.toHaveBeenCalled();
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await errorOf(response)).values).toMatchObject(TYPED);
  ctx.clock.advance(hours(1) + seconds(1));
  expect((await send()).status).toBe(303);
});

test("the retry of an accepted form is answered like the first, even when the limit is used up meanwhile", async () => {
  const token = agedToken(ctx, CONTACT_PURPOSE);
  await send({ token });
  for (let attempt = 0; attempt < 20; attempt += 1) await send({ fields: { email: "nope" } });
  expect((await send({ token })).status).toBe(303);
  expect((await send()).status).toBe(429);
});

test("a form opened by someone who signs out before sending it still arrives", async () => {
  const jordan = await makePerson(ctx, { role: "moderator" });
  const token = agedToken(as(ctx, jordan), CONTACT_PURPOSE);
  expect((await send({ token })).status).toBe(303);
});

test("neither line breaks of a name nor control characters nor decomposed letters reach the record", async () => {
  await send({ fields: { first_name: "A\nBcc: x@y.z", message: "One\r\ntwo" } });
  await send({ fields: { first_name: "Zoe\u0308\u0000\u001b[31m" } });
  const rows = await ctx.db.select().from(contactSubmissions).orderBy(desc(contactSubmissions.number)).limit(2);
  expect(rows).toMatchObject([{ first_name: "Zoë[31m" }, { first_name: "A Bcc: x@y.z", message: "One\ntwo" }]);
});

test("the sixth submission of one address within an hour is stored but set aside", async () => {
  const before = await countSubmissions(ctx.db);
  const fields = { email: "often@larkspur.example" };
  for (let request = 0; request < 6; request += 1) {
    await send({ fields });
    ctx.clock.advance(minutes(1));
  }
  const after = await countSubmissions(ctx.db);
  expect(after.all - before.all).toBe(5);
  expect(after.held - before.held).toBe(1);
});

const chosen = { plan: "core", users: "12", lab: "4", secureStorage: "on" };

async function newest() {
  const [row] = await ctx.db
    .select({ id: contactSubmissions.id })
    .from(contactSubmissions)
    .orderBy(desc(contactSubmissions.number))
    .limit(1);
  return findSubmission(ctx.db, row?.id ?? "");
}

test("the page shows the estimate of its address, priced by us, and none without one", async () => {
  const estimateAt = async (query: string) =>
    (await (await loader(args(ctx, get(`/contact?${query}`)))).json()).estimate;
  const priced = { total: 209_660, rate: 14_900 };
  expect(await estimateAt("plan=core&users=12&lab=4&secureStorage=on&total=1")).toMatchObject(priced);
  expect(await estimateAt("sent=1")).toBeNull();
});

test("the estimate is stored with the submission, with the prices of the day, and staff see it; without one there is none", async () => {
  expect((await send({ fields: chosen })).status).toBe(303);
  expect((await newest())?.estimate).toEqual({
    choice: { plan: "core", users: 12, lab: 4, addOns: ["secureStorage"] },
    rate: 14_900,
    labPercent: 35,
    breakdown: { fullUsers: 178_800, labDevices: 20_860, addOns: 10_000 },
    total: 209_660,
  });
  await send();
  expect((await newest())?.estimate).toBeNull();
});

test("nobody can send a price: only the choice is read, and it is brought within the limits", async () => {
  const forged = { users: "9999", lab: "-3", plan: "free", total: "1", rate: "0", estimate_json: "{}" };
  await send({ fields: { ...chosen, ...forged } });
  const estimate = (await newest())?.estimate;
  expect(estimate?.choice).toEqual({ plan: "core", users: 50, lab: 0, addOns: ["secureStorage"] });
  expect(estimate?.total).toBe(50 * 14_900 + 10_000);
});

test("a rejected form keeps the estimate", async () => {
  const response = await send({ fields: { ...chosen, last_name: "" } });
  expect(response.status).toBe(400);
  const failed = await errorOf(response);
  expect(failed.errors).toEqual({ last_name: "Last name is required" });
  expect(failed.estimate?.total).toBe(209_660);
});

test("a note of another format is no estimate, and the submission can still be read", async () => {
  await send({ fields: chosen });
  await ctx.db.update(contactSubmissions).set({ estimate_json: '["core",12,4,[]]' });
  expect((await newest())?.estimate).toBeNull();
});

test("what led the visitor here travels with the form and is stored with the submission", async () => {
  const arrived = testContext({ facts: { referrer: "http://localhost:8787/pricing?utm_source=chamber" } });
  const page = await (await loader(args(arrived, get("/contact?utm_campaign=spring")))).json();
  expect(page.attribution).toEqual({ source: "chamber", campaign: "spring" });
  await send({ fields: { source: "chamber", campaign: "spring" } });
  expect(await newest()).toMatchObject({ source: "chamber", campaign: "spring" });
});

/** Sends the form, and returns the cookie that the browser has then. */
async function sentCookie(sent?: ContactPost) {
  expect((await send(sent)).status).toBe(303);
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
  const cookie = await sentCookie({ fields: chosen });
  const sent = await openedWith(cookie);
  expect(sent?.receipt).toMatchObject({
    number: expect.stringMatching(/^L-\d{4,}$/),
    replyBy: "Thursday, November 19, 9:00 AM CST",
    estimate: { total: 209_660 },
  });
  ctx.clock.advance(minutes(29));
  expect(await openedWith(cookie)).toEqual(sent);
  // The form itself is one link away.
  expect(await openedWith(cookie, "/contact")).toBeNull();
});

test("the receipt says whether the copy is delayed, because the quota of the mail provider is used up", async () => {
  const cookie = await sentCookie();
  expect((await openedWith(cookie))?.receipt?.isMailDelayed).toBe(false);
  await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
  expect((await openedWith(cookie))?.receipt?.isMailDelayed).toBe(true);
  await endMailPause(ctx);
});

test("nobody else is congratulated: not without the cookie, not with a made-up one, not half an hour later", async () => {
  const cookie = (await sentCookie()) ?? "";
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

test("the second post of a double click leads to the same receipt, and is stored once", async () => {
  const token = agedToken(ctx, CONTACT_PURPOSE);
  const before = await stored();
  const first = await openedWith(await sentCookie({ token }));
  ctx.clock.advance(minutes(5));
  expect(first?.receipt).not.toBeNull();
  expect(await openedWith(await sentCookie({ token }))).toEqual(first);
  expect(await stored()).toBe(before + 1);
});

test("a submission that is set aside gets a receipt like any other, so that a robot learns nothing", async () => {
  expect(
    (await openedWith(await sentCookie({ fields: { website: "https://spam.example" } })))?.receipt?.number,
  ).toMatch(/^L-/);
});

test("what was deleted meanwhile has no receipt any more", async () => {
  const cookie = await sentCookie();
  const number = (await openedWith(cookie))?.receipt?.number ?? "";
  await ctx.db.delete(contactSubmissions).where(eq(contactSubmissions.number, Number(number.slice(2))));
  expect(await openedWith(cookie)).toBeNull();
});

test("while the database is down the page still says that the form was sent", async () => {
  const cookie = await sentCookie();
  const failing = {
    prepare: () => {
      throw new Error("D1_ERROR: Network connection lost");
    },
  } as unknown as D1Database;
  ctx = derive(ctx, { db: openDb({ reads: failing, counts: failing, writes: failing }) });
  expect(await openedWith(cookie)).toEqual({ receipt: null });
});

test("each post without a token counts towards the limit of its network, once", async () => {
  const attempts = async () => {
    const rows = await ctx.db.select().from(rateLimitAttempts);
    return rows.find((row) => row.identifier === ctx.request.network)?.attempts;
  };
  for (let post = 0; post < 3; post += 1) await send({ token: null, file: plan(2_000) });
  expect(await attempts()).toBe(3);
  expect((await send({ file: plan(2_000) })).status).toBe(303);
  expect(await attempts()).toBe(4);
});

test.each([
  undefined,
  plan(2_000),
])("with the database away the page says so, keeps the text and promises nothing, with a file or none", async (file) => {
  const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: Network connection lost"));
  const response = await send({ file }, derive(ctx, { db: new Proxy(ctx.db, { get: () => away }) }));
  expect(response.status).toBe(503);
  expect(await errorOf(response)).toMatchObject({
    title: "Submission Failed",
    errors: { form: "There was an error submitting your form. Please try again." },
    values: { message: CONTACT_FIELDS.message },
  });
});

test.each([
  2_000,
  5 * MIB,
])("with the file store away a form with %d bytes says so, keeps the text and stores nothing", async (size) => {
  const away = () => Promise.reject(new Error("put: We encountered an internal error. (10001)"));
  const before = await stored();
  const broken = derive(ctx, { files: { ...ctx.files, put: away, putParts: away } });
  const response = await send({ file: plan(size) }, broken);
  expect(response.status).toBe(503);
  expect(await errorOf(response)).toMatchObject({ title: "Submission Failed", values: TYPED });
  expect(await stored()).toBe(before);
});

const keysNow = async () => (await bindings.FILES.list({ prefix: "att/" })).objects.map(({ key }) => key);

test.each([
  ["a field that is wrong", { email: "nope" }],
  ["terms that were not agreed to", { agreed_to_terms: "" }],
])("the file of a form that comes back because of %s does not stay", async (_, fields) => {
  const before = await keysNow();
  const put = vi.spyOn(ctx.files, "put");
  expect((await send({ fields, file: plan(2_000) })).status).toBe(400);
  await ctx.settle();
  expect(put).toHaveBeenCalledOnce();
  expect(await keysNow()).toEqual(before);
});

test("the file of a form stays whose outcome is not known", async () => {
  const before = await keysNow();
  const lost = derive(ctx, {
    db: new Proxy(ctx.db, {
      get: (db, name) =>
        name === "batch" ? () => Promise.reject(new Error("D1_ERROR: Internal error in D1 DB")) : Reflect.get(db, name),
    }),
  });
  expect((await send({ file: plan(2_000) }, lost)).status).toBe(503);
  await ctx.settle();
  expect(await keysNow()).toHaveLength(before.length + 1);
});

test("a file of exactly 5 MiB is stored with the submission", async () => {
  const before = await stored();
  expect((await send({ file: plan(5 * MIB) })).status).toBe(303);
  expect(await stored()).toBe(before + 1);
});
