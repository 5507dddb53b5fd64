import { beforeEach, describe, expect, test, vi } from "vitest";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { CONTACT_PURPOSE, type ContactFormError } from "~/features/submissions/intake/actions.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { action } from "~/routes/_site.contact";
import { CONTACT_FIELDS } from "../support/contact-fields";
import { bindings, derive, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { agedToken, args, postMultipart } from "../support/requests";
import { visitorContext } from "../support/visitor";

const MIB = 1024 * 1024;
const FILE_SENTENCE = "Attach a PDF, DOC or DOCX file of at most 5 MB.";

let ctx: TestContext;

beforeEach(() => {
  ctx = visitorContext();
});

const file = (size: number) => ({ field: "file", name: "plan.pdf", bytes: pdf("x".repeat(size - 9)) });
const fieldsWith = (form_token: string) => ({ form_token, ...CONTACT_FIELDS });
const send = async (request: Request, context = ctx) => (await action(args(context, request))) as Response;
const errorOf = async (response: Response) => (await response.json()) as ContactFormError;
const stored = async () => {
  const { all, held } = await countSubmissions(ctx.db);
  return all + held;
};

describe("without a valid token no file is kept", () => {
  test.each([
    ["no token", () => ({ ...CONTACT_FIELDS })],
    ["a token that somebody made up", () => fieldsWith("v1.1.contact.1.abc.def")],
    ["the token of another form", () => fieldsWith(agedToken(ctx, "sign-in"))],
    ["a token behind the file", () => ({ ...CONTACT_FIELDS })],
  ])("with %s the form comes back with what was typed, and nothing is stored", async (name, fields) => {
    const put = vi.spyOn(ctx.files, "put");
    const form = postMultipart("/contact", fields(), file(20_000));
    const body = await form.formData();
    if (name.endsWith("behind the file")) body.append("form_token", agedToken(ctx, CONTACT_PURPOSE));
    const before = await stored();
    const response = await send(new Request(form.url, { method: "POST", body }));
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      title: "Security Error",
      errors: { form: "Please complete the security verification" },
      values: { message: CONTACT_FIELDS.message },
    });
    expect(await stored()).toBe(before);
    expect(put).not.toHaveBeenCalled();
  });

  test("each such post counts towards the limit of its network, once", async () => {
    const identifier = ctx.request.network;
    for (let post = 0; post < 3; post += 1) await send(postMultipart("/contact", { ...CONTACT_FIELDS }, file(2_000)));
    const rows = await ctx.db.select().from(rateLimitAttempts);
    expect(rows.find((row) => row.identifier === identifier)).toMatchObject({ attempts: 3 });
    const accepted = await send(postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(2_000)));
    expect(accepted.status).toBe(303);
    const after = await ctx.db.select().from(rateLimitAttempts);
    expect(after.find((row) => row.identifier === identifier)).toMatchObject({ attempts: 4 });
  });
});

test("a network over its limit gets 429 before its file is kept, and everything typed", async () => {
  for (let post = 0; post < 20; post += 1) await send(postMultipart("/contact", { ...CONTACT_FIELDS }));
  const response = await send(postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(2_000)));
  expect(response.status).toBe(429);
  expect((await errorOf(response)).values).toMatchObject({ email: CONTACT_FIELDS.email });
});

test("with the database away a form with a file says so and keeps the text", async () => {
  const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: Network connection lost"));
  const broken = derive(ctx, { db: new Proxy(ctx.db, { get: () => away }) });
  const request = postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(2_000));
  const response = await send(request, broken);
  expect(response.status).toBe(503);
  expect(await errorOf(response)).toMatchObject({
    title: "Submission Failed",
    values: { message: CONTACT_FIELDS.message },
  });
});

test.each([
  2_000,
  5 * MIB,
])("with the file store away a form with %d bytes says so, keeps the text and stores nothing", async (size) => {
  const away = () => Promise.reject(new Error("put: We encountered an internal error. (10001)"));
  const broken = derive(ctx, { files: { ...ctx.files, put: away, putParts: away } });
  const before = await stored();
  const response = await send(
    postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(size)),
    broken,
  );
  expect(response.status).toBe(503);
  const { website: _honeypot, ...typed } = CONTACT_FIELDS;
  expect(await errorOf(response)).toMatchObject({ title: "Submission Failed", values: typed });
  expect(await stored()).toBe(before);
});

const keysNow = async () => (await bindings.FILES.list({ prefix: "att/" })).objects.map(({ key }) => key);

test.each([
  ["a field that is wrong", { email: "nope" }, 400],
  ["terms that were not agreed to", { agreed_to_terms: "" }, 400],
])("the file of a form that comes back because of %s does not stay", async (_, wrong, status) => {
  const before = await keysNow();
  const put = vi.spyOn(ctx.files, "put");
  const fields = { ...fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), ...wrong };
  expect((await send(postMultipart("/contact", fields, file(2_000)))).status).toBe(status);
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
  const form = postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(2_000));
  expect((await send(form, lost)).status).toBe(503);
  await ctx.settle();
  expect(await keysNow()).toHaveLength(before.length + 1);
});

test.each([5 * MIB + 1, 9 * MIB])("a file of %d bytes brings the form back, with everything typed", async (size) => {
  const before = await stored();
  const response = await send(postMultipart("/contact", fieldsWith(agedToken(ctx, CONTACT_PURPOSE)), file(size)));
  expect(response.status).toBe(400);
  const { website: _honeypot, ...typed } = CONTACT_FIELDS;
  expect(await errorOf(response)).toMatchObject({ errors: { file: FILE_SENTENCE }, values: typed });
  expect(await stored()).toBe(before);
});

test("a file of exactly 5 MiB is stored with the submission", async () => {
  const before = await stored();
  const token = agedToken(ctx, CONTACT_PURPOSE);
  expect((await send(postMultipart("/contact", fieldsWith(token), file(5 * MIB)))).status).toBe(303);
  expect(await stored()).toBe(before + 1);
});

test("a form whose file is too large may be corrected with the token it has, without the file", async () => {
  const token = agedToken(ctx, CONTACT_PURPOSE);
  const failed = await errorOf(await send(postMultipart("/contact", fieldsWith(token), file(6 * MIB))));
  expect(failed.token).toBe(token);
  expect((await send(postMultipart("/contact", fieldsWith(token)))).status).toBe(303);
});
