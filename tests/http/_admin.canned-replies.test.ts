import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { listCannedReplies, offerCannedReplies } from "~/features/canned-replies/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { issueFormToken } from "~/platform/form-token.server";
import * as route from "~/routes/_admin.admin.canned-replies.$reply";
import { staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { pageAt } from "../support/page";
import { type Fields, thrownBy } from "../support/requests";
import { openedTicket } from "../support/ticket-forms";

const TEXTS = { title: "Hello", message: "Hello {{client.first_name}}", category: "", status: "" };

const page = pageAt("/admin/canned-replies/:reply", route);
const send = (ctx: TestContext, reply: string, fields: Fields, intent = "save") =>
  page.send(ctx, `/admin/canned-replies/${reply}`, intent === "save" ? "canned-reply" : "canned-reply-delete", {
    intent,
    ...fields,
  });

const named = async (ctx: TestContext, title: string) => {
  const found = (await listCannedReplies(ctx.db, ctx.signedIn?.userId ?? "")).find((reply) => reply.title === title);
  if (!found) throw new Error(`There is no reply ${title}`);
  return found;
};

let provided: Awaited<ReturnType<typeof listCannedReplies>>;

beforeAll(async () => {
  provided = await listCannedReplies(testContext().db, "");
});

test("there are ten shared replies to begin with, without a variable that does not exist", () => {
  expect([provided.length, provided.every(({ isShared }) => isShared)]).toEqual([10, true]);
  for (const { title, message } of provided) {
    expect(message.split("\n").length, title).toBeGreaterThan(2);
    expect(message, title).not.toContain("|");
  }
});

test("a reply with an unknown variable is not saved, and says which it is", async () => {
  const { ctx } = await staffMember();
  const response = await send(ctx, "new", { ...TEXTS, message: "Hello {{name}}" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: { message: "There is no variable {{name}}." },
    values: { message: "Hello {{name}}" },
  });
});

test.each([
  ["Hello {{client.first_name, thank you.", "{{client.first_name,"],
  ["Hello {{client.first_name}, thank you.", "{{client.first_name}"],
  ["Hello {client.first_name}}.", "{client.first_name}}"],
  ["{{ticket.number}} and {{", "{{"],
])("a reply whose braces are not closed is not saved, and says where: %s", async (message, braces) => {
  const { ctx } = await staffMember();
  const response = await send(ctx, "new", { ...TEXTS, message });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: { message: `Braces are missing at “${braces}”. A variable has two on each side: {{ticket.number}}.` },
    values: { message },
  });
});

test("a technician writes replies of their own, which nobody else sees, and changes no shared one", async () => {
  const { ctx } = await staffMember("moderator");
  expect((await send(ctx, "new", { ...TEXTS, title: "Mine" })).status).toBe(303);
  const { id } = await named(ctx, "Mine");
  const other = await staffMember();
  expect((await listCannedReplies(ctx.db, other.person.id)).map(({ title }) => title)).not.toContain("Mine");
  expect((await thrownBy(page.open(other.ctx, `/admin/canned-replies/${id}`))).status).toBe(404);
  const shared = { ...TEXTS, title: "Ours", shared: "on", version: "1" };
  expect((await thrownBy(send(ctx, "new", shared))).status).toBe(403);
  expect((await thrownBy(send(ctx, "can_default_1", shared))).status).toBe(403);
  expect((await thrownBy(send(ctx, "can_default_1", {}, "delete"))).status).toBe(403);
});

test("of two admins who change a shared reply, the second is told and keeps the text", async () => {
  const { ctx } = await staffMember();
  const fields = { ...TEXTS, title: "First", shared: "on", version: "1" };
  await send(ctx, "new", { ...fields, title: "Before" });
  const { id } = await named(ctx, "Before");
  expect((await send(ctx, id, fields)).status).toBe(303);
  const second = await send(ctx, id, { ...fields, title: "Second" });
  expect([second.status, await second.json()]).toMatchObject([409, { values: { title: "Second" } }]);
  expect((await named(ctx, "First")).id).toBe(id);
  expect((await send(ctx, id, {}, "delete")).status).toBe(303);
  expect((await thrownBy(send(ctx, id, {}, "delete"))).status).toBe(404);
});

test("a deletion by a form that is too old says that nothing was deleted", async () => {
  const { ctx } = await staffMember();
  const answer = await send(ctx, "can_default_3", { form_token: "forged" }, "delete");
  expect(await answer.json()).toMatchObject({ title: "Failed to delete the reply", errors: { form: FORM_TOO_OLD } });
  expect((await listCannedReplies(ctx.db, "")).map(({ id }) => id)).toContain("can_default_3");
});

test("a reply is inserted at the end of the draft or at the caret, with its variables filled in, and its use is counted", async () => {
  const { base, ctx, reference, send: sendTicket } = await openedTicket();
  const insert = (canned: string, changes = {}) =>
    sendTicket("insert", { body: "Good news.", begun_at_message: "0", canned, ...changes });
  await base.db.run(sql`
    UPDATE canned_replies SET message = '{{client.first_name}}, {{ticket.number}} of {{org.name}}: {{agent.first_name}}'
    WHERE id = 'can_default_10'`);
  const response = await insert("can_default_10");
  expect([response.status, await response.json()]).toMatchObject([
    200,
    {
      form: "reply",
      values: { body: `Good news.\n\nDana, ${reference} of Larkspur Row: Sam`, begun_at_message: "0" },
      inserted: { proposal: "Send and resolve" },
    },
  ]);
  expect((await named(ctx, "Resolved")).used).toBe(1);
  const between = await insert("can_default_10", { body: "Hello,\n\nBye", caret: "7" });
  expect(await between.json()).toMatchObject({
    values: { body: `Hello,\nDana, ${reference} of Larkspur Row: Sam\nBye` },
    inserted: { isAtEnd: false },
  });
});

test("no more replies are kept than are listed and offered, and one's own are offered beside all shared ones", async () => {
  const { ctx, person } = await staffMember();
  const fill = (owner: string | null) =>
    ctx.db.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO canned_replies(id, created_at, updated_at, title, message, owner_id)
      SELECT 'can_' || ${owner ?? "all"} || i, 1, 1, 'Filled ' || i, 'x', ${owner} FROM n
      WHERE i <= 100 - (SELECT count(*) FROM canned_replies WHERE owner_id IS ${owner})`);
  expect((await send(ctx, "new", { ...TEXTS, title: "Mine" })).status).toBe(303);
  await fill(null);
  expect((await offerCannedReplies(ctx.db, person.id)).at(-1)?.label).toBe("Mine (yours)");
  await fill(person.id);
  const { id } = await named(ctx, "Mine");
  for (const [reply, fields, error] of [
    ["new", { shared: "on" }, "There are 100 replies for all staff already. Delete one first."],
    ["new", {}, "There are 100 replies of yours already. Delete one first."],
    [id, { shared: "on", version: "1" }, "There are 100 replies for all staff already. Delete one first."],
  ] as const) {
    const response = await send(ctx, reply, { ...TEXTS, ...fields });
    expect([response.status, (await response.json()).errors.form]).toEqual([409, error]);
  }
  expect((await send(ctx, id, { ...TEXTS, title: "Still mine", version: "1" })).status).toBe(303);
  expect(await listCannedReplies(ctx.db, person.id)).toHaveLength(200);
  await ctx.db.run(sql`DELETE FROM canned_replies WHERE title LIKE 'Filled %' OR title = 'Still mine'`);
});

test("a saved reply that was deleted meanwhile costs nothing that was written", async () => {
  const { ctx, path, send: sendTicket } = await openedTicket();
  const fields = { body: "Half an hour of work", begun_at_message: "0", what_was_done: "", canned: "can_missing" };
  const insert = (to: string) => sendTicket("insert", fields, ctx, to);
  const response = await insert(path);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { form: "reply", errors: { canned: "This saved reply is gone. Choose another one." }, values: fields },
  ]);
  expect((await thrownBy(insert("/admin/tickets/tkt_missing"))).status).toBe(404);
});

test("a canned reply that a colleague has changed since is not said to be saved by a form that arrives again", async () => {
  const { ctx } = await staffMember();
  const save = async (version: string, message: string, form_token = issueFormToken(ctx, "canned-reply")) =>
    (await send(ctx, "can_default_3", { ...TEXTS, shared: "on", version, message, form_token })).status;
  const form_token = issueFormToken(ctx, "canned-reply");
  expect([await save("1", "Hello there", form_token), await save("1", "Hello there", form_token)]).toEqual([303, 303]);
  expect([await save("2", "Theirs"), await save("1", "Hello there", form_token)]).toEqual([303, 409]);
});
