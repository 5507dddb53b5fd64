import { expect, test } from "vitest";
import { CONTACT_PURPOSE } from "~/features/submissions/intake/actions.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { livePublisher } from "~/live/publish.server";
import { r2Files } from "~/platform/files.server";
import { publishedSettingsReader } from "~/platform/published-settings.server";
import { loader as privacyPage } from "~/routes/_admin.admin.privacy._index";
import { loader as ticketPage } from "~/routes/_admin.admin.tickets.$ticket";
import { action } from "~/routes/_site.contact";
import { staffMember } from "../support/admin-area";
import { bindings, derive, type TestContext, testContext } from "../support/context";
import { pdf } from "../support/documents";
import { agedToken, args, get, postMultipart } from "../support/requests";

/** Makes a binding that is missing: reading anything of it throws, as `undefined` does in the runtime. */
const missing = undefined as never;

let visitor = 0;

async function sendForm(ctx: TestContext, file?: { name: string; bytes: BlobPart }) {
  visitor += 1;
  const fields = {
    form_token: agedToken(ctx, CONTACT_PURPOSE),
    first_name: "Priya",
    last_name: "Raman",
    email: `priya${visitor}@larkspur.example`,
    agreed_to_terms: "on",
    website: "",
  };
  const request = postMultipart("/contact", fields, file && { field: "file", ...file });
  return (await action(args(ctx, request))) as Response;
}

test.each([
  ["the live hub", { live: livePublisher(missing) }],
  ["KV", { kv: missing, publishedSettings: publishedSettingsReader(missing, () => 0) }],
  ["the file store", { files: r2Files(missing) }],
] as const)("without %s a submission is still stored, answered and mailed", async (_, part) => {
  const ctx = testContext(part);
  const before = await countSubmissions(ctx.db);
  expect((await sendForm(ctx)).status).toBe(303);
  expect((await countSubmissions(ctx.db)).all).toBe(before.all + 1);
  await ctx.settle();
  expect(ctx.sent).toHaveLength(2);
});

test("without the file store a submission with a file is rejected as an outage, and nothing of it is stored", async () => {
  const ctx = testContext({ files: r2Files(missing) });
  const before = await countSubmissions(ctx.db);
  const response = await sendForm(ctx, { name: "plan.pdf", bytes: pdf() });
  expect(response.status).toBe(503);
  expect(await countSubmissions(ctx.db)).toEqual(before);
  expect((await bindings.FILES.list({ prefix: "att/" })).objects).toEqual([]);
});

test("a mail provider that never answers holds up nobody's answer", async () => {
  const ctx = testContext();
  ctx.mailer.send = () => new Promise(() => undefined);
  const answered = await sendForm(ctx);
  expect(answered.status).toBe(303);
});

test.each([
  ["a ticket", ticketPage, { ticket: "T-1001" }, "Failed to fetch ticket messages"],
  ["privacy", privacyPage, {}, "Failed to load privacy"],
] as const)("while the database does not answer, the page of %s says what it could not read, and when to try again", async (_, loader, params, title) => {
  const { ctx } = await staffMember();
  const away = () => Promise.reject(new Error("D1_ERROR: overloaded"));
  const db = new Proxy(ctx.db, { get: (whole, key) => (key === "all" ? away : Reflect.get(whole, key)) });
  const asked = args(derive(ctx, { db, log: () => undefined }), get("/admin"), params);
  const failed = (await (loader as typeof privacyPage)(asked).catch((thrown: unknown) => thrown)) as Response;
  expect([failed.status, failed.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await failed.json()).toMatchObject({ title });
});
