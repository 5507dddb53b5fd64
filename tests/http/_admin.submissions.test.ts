import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { outbox } from "~/db/schema/outbox";
import { contactSubmissions } from "~/db/schema/submissions";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { replyToSubmission } from "~/features/submissions/record/commands.server";
import { listReplies, listStatusChanges } from "~/features/submissions/record/read-record.server";
import { hours } from "~/lib/time";
import { newToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import * as activityRoute from "~/routes/_admin.admin.activity";
import * as attachmentRoute from "~/routes/_admin.admin.attachments.$attachmentId";
import * as listRoute from "~/routes/_admin.admin.submissions._index";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import { action as ticketAction, loader as ticketLoader } from "~/routes/_admin.admin.tickets.$ticket";
import * as viewsRoute from "~/routes/_admin.admin.views";
import { flash, staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makeMember, makeOrganization, makePerson, makeSubmission, signedInAs } from "../support/factories";
import { pageAt } from "../support/page";
import { args, type Fields, post, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { listSubmissions } from "../support/submission-list";
import { openedTicket } from "../support/ticket-forms";

const LIST = "/admin/submissions";
const list = pageAt(LIST, listRoute);
const record = pageAt("/admin/submissions/:submissionId", recordRoute);
const attachment = pageAt("/admin/attachments/:attachmentId", attachmentRoute);
const activity = pageAt("/admin/activity", activityRoute);
const views = pageAt("/admin/views", viewsRoute);
const send = (ctx: TestContext, fields: Fields, path = LIST) => list.send(ctx, path, "submission-list", fields);
const handle = (ctx: TestContext, id: string, fields: Fields, purpose = "submission-handling") =>
  record.send(ctx, `${LIST}/${id}`, purpose, fields);

async function technician() {
  const ctx = testContext();
  const jordan = await makePerson(ctx, { role: "moderator", fullName: "Jordan Vale" });
  return { base: ctx, ctx: as(ctx, jordan) };
}

async function withFile(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const { base, ctx } = await technician();
  const email = `${crypto.randomUUID()}@b.example`;
  const input = { first_name: "A", last_name: "B", email, phone: null, company: null, message: null };
  await submitContact(base, {
    input: { ...input, agreed_to_terms: "on" },
    file: await storeFile(base, { name, kind: "pdf", bytes }),
    nonce: crypto.randomUUID(),
    termsVersion: "2026-11-01",
    moderationReason: null,
  });
  const row = (await listSubmissions(ctx.db)).find((candidate) => candidate.email === email);
  const { submission } = await record.read(ctx, `/admin/submissions/${row?.id}`);
  return { ctx, base, submission };
}

test.each([
  "sub_unknown",
  "",
  "' or 1=1 --",
  "a".repeat(5_000),
])("a submission with the id %j is not found", async (id) => {
  const { ctx } = await technician();
  const opened = record.open(ctx, `/admin/submissions/${encodeURIComponent(id)}`);
  expect((await thrownBy(opened)).status).toBe(404);
});

test("a ticket is opened where the sender is an active member, or else by the company they named", async () => {
  const { base, ctx } = await technician();
  const organization = await makeOrganization(base, "Larkspur Row");
  const [active, suspended] = [await makePerson(base), await makePerson(base)];
  await makeMember(base, organization.id, active, "member");
  await makeMember(base, organization.id, suspended, "member", "suspended");
  const ticketPath = async (of: Parameters<typeof makeSubmission>[1]) => {
    const { id } = await makeSubmission(base, of);
    const page = await record.read(ctx, `/admin/submissions/${id}`);
    return page.ticketPath?.replace(id, "ID");
  };
  const path = "/admin/tickets/new?submission=ID";
  expect(await ticketPath({ email: active.email, company: "Row" })).toBe(`${path}&organization=${organization.id}`);
  expect(await ticketPath({ email: suspended.email, company: "A & B" })).toBe(`${path}&find=A+%26+B`);
  expect(await ticketPath({ email: "nobody@larkspur.example" })).toBe(path);
  expect(await ticketPath({ email: active.email, moderationReason: "content" })).toBeUndefined();
});

test("an estimate stands with the prices of its day, and leads to the same choice at today's", async () => {
  const { base, ctx } = await technician();
  const { id } = await makeSubmission(base);
  const page = () => record.read(ctx, `/admin/submissions/${id}`);
  expect((await page()).about.estimate).toBeNull();
  const prices = { ...defaultPriceList, plans: { ...defaultPriceList.plans, core: 10_000 } };
  const made = estimate(prices, { plan: "core", users: 12, lab: 0, addOns: ["secureStorage"] });
  await base.db
    .update(contactSubmissions)
    .set({ estimate_json: JSON.stringify(made) })
    .where(eq(contactSubmissions.id, id));
  const { about } = await page();
  expect(about.estimate?.facts).toContainEqual({ term: "Full-time users", detail: "$1,200.00 · 12 × $100" });
  expect(about.estimate?.path).toBe("/pricing?plan=core&users=12&lab=0&secureStorage=on#estimate");
});

test("a file leaves byte for byte, as a download in a sandbox, and the audit knows who took it", async () => {
  const bytes = pdf("floor plan");
  const { ctx, submission } = await withFile(bytes, 'plan "ä".pdf');
  const response = await attachment.open(ctx, `/admin/attachments/${submission.file?.id}`);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  expect(response.headers.get("Content-Type")).toBe("application/octet-stream");
  expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
  expect(response.headers.get("Content-Disposition")).toBe(
    `attachment; filename="plan ___.pdf"; filename*=UTF-8''plan%20%22%C3%A4%22.pdf`,
  );
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, submission.id));
  expect(events.map((event) => event.action)).toContain("submission.file_downloaded");
});

test("a file of which only the row is left is not found", async () => {
  const { ctx, base, submission } = await withFile(pdf(), "plan.pdf");
  base.files.get = async () => null;
  expect((await thrownBy(attachment.open(ctx, `/admin/attachments/${submission.file?.id}`))).status).toBe(404);
});

/** Opens the list and returns the rows of a company. */
async function rowsOf(ctx: TestContext, company: string, query: string) {
  const { list: found } = await list.read(ctx, `${LIST}?${query}`);
  return (found?.page.rows ?? []).filter((row) => row.company === company);
}

// A plan of each kind: by an index, by the search index, and by scanning.
test.each([
  "",
  "q=rowdetails",
  "view=mine",
  "view=mine&q=rowdetails",
  "view=mine&status=contacted&q=ro",
])("a row at %j tells who has it, how the promise stands and how the message begins", async (query) => {
  const { ctx, person, base } = await staffMember();
  const company = "Rowdetails Ltd";
  const { id } = await makeSubmission(ctx, { company });
  const message = `First line,\r\n\tsecond   line. ${"x".repeat(200)}`;
  await ctx.db.update(contactSubmissions).set({ owner_id: person.id, message }).where(eq(contactSubmissions.id, id));
  base.clock.advance(hours(1));
  const change = { submissionId: id, status: "contacted" as const, nonce: crypto.randomUUID() };
  await changeSubmissionStatus(ctx, signedInAs(person, base.now()), change);
  const row = (await rowsOf(ctx, company, query)).find((candidate) => candidate.id === id);
  expect(row).toMatchObject({
    owner: person.fullName,
    due: { words: expect.stringMatching(/^answered \d\d:\d\d$/), isLate: false },
  });
  expect(row?.snippet).toMatch(/^First line, second line\. x+…$/);
  expect(row?.snippet?.length).toBeLessThanOrEqual(80);
  expect(JSON.stringify(row)).not.toContain(message.slice(60));
});

test("a row that waits says until when, then that it is late, and one without owner or message says nothing else", async () => {
  const { ctx, base } = await staffMember();
  const company = `Waiting ${crypto.randomUUID()}`;
  const { id } = await makeSubmission(ctx, { company });
  await ctx.db.update(contactSubmissions).set({ message: null }).where(eq(contactSubmissions.id, id));
  expect(await rowsOf(ctx, company, "")).toMatchObject([
    { owner: null, snippet: null, due: { words: expect.stringMatching(/^due /), isLate: false } },
  ]);
  base.clock.advance(hours(72));
  expect(await rowsOf(ctx, company, "")).toMatchObject([
    { due: { words: expect.stringMatching(/^late by /), isLate: true } },
  ]);
});

test("a held row says why it is held", async () => {
  const { ctx } = await staffMember();
  const company = `Held ${crypto.randomUUID()}`;
  await makeSubmission(ctx, { company, moderationReason: "content" });
  const row = { due: { words: "looks like advertising", isLate: false } };
  expect(await rowsOf(ctx, company, "view=held")).toMatchObject([row]);
});

test.each([
  [list.open, LIST, "q=&status=new&sort=newest&from=&to=&size=50", "status=new&size=50"],
  [activity.open, "/admin/activity", "type=&q=a", "q=a"],
])("an address with empty parameters, as a form without scripts sends it, leads to the one without them", async (open, path, query, kept) => {
  const { ctx } = await staffMember();
  const moved = await thrownBy(open(ctx, `${path}?${query}`));
  expect([moved.status, moved.headers.get("Location")]).toEqual([302, `${path}?${kept}`]);
});

/** Sends the form of the rows as a page of two rows posts it: what its two selects say, and the button pressed. */
const saveStatus = (ctx: TestContext, save: string, fields: Fields = {}) =>
  send(ctx, { intent: "status", save, status: ["deleted", "resolved"], return_to: `${LIST}?status=new`, ...fields });

test("the select of a row moves its submission and leads back to the same list, two rows from one page", async () => {
  const { ctx, base } = await staffMember();
  const form_token = issueFormToken(ctx, "submission-list");
  for (const { id } of [await makeSubmission(ctx), await makeSubmission(ctx)]) {
    const response = await saveStatus(ctx, `1.${id}`, { form_token });
    expect(response.headers.get("Location")).toBe(`/admin/submissions?status=new#${id}`);
    expect(flash(base)).toBe("Status Updated: Contact submission status has been updated successfully.");
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "resolved" });
  }
});

test("a row whose status was chosen already is not said to be updated, and no history is written", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx, { status: "resolved" });
  await saveStatus(ctx, `1.${id}`);
  expect(flash(base)).toBe("Nothing changed: The status was Resolved already.");
  expect(await listStatusChanges(ctx.db, id)).toEqual([]);
});

test.each(["7", "0", "x", ""])("the button of a row with no select at %j moves nothing", async (position) => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  expect((await saveStatus(ctx, `${position}.${id}`)).status).toBe(400);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new", version: 1 });
});

test("a bulk change that finds only rows of another version is no success", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const done = await makeSubmission(ctx, { status: "contacted" });
  const move = (row: string) => send(ctx, { intent: "bulk-status", status: "contacted", scope: "selected", row });
  const rejected = await move(`${id}.7`);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    rejection: "Failed to update submissions. 1 skipped: changed since you opened the list.",
    rows: [`${id}.7`],
  });
  await move(`${done.id}.1`);
  expect(flash(base)).toBe("Nothing changed: 1 was contacted already.");
});

test("a filter that cannot be read does not stand for all submissions", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx, { firstName: "Untouched" });
  const fields = { intent: "bulk-status", status: "resolved", scope: "all", read_at: String(ctx.now()) };
  for (const query of [`q=${"%F0%9F%98%80".repeat(400)}`, null]) {
    const answer = await send(ctx, { ...fields, ...(query === null ? {} : { query }) });
    expect(await answer.json()).toMatchObject({ rejection: "Select at least one submission first." });
  }
  await send(ctx, { ...fields, query: new URLSearchParams({ q: "😀".repeat(200), status: "new" }).toString() });
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});

test("a status that is none of the three, and a token of another person's session, move nothing", async () => {
  const { ctx, base } = await technician();
  const { id } = await makeSubmission(ctx);
  const other = as(base, await makePerson(base, { role: "admin" }));
  const form_token = issueFormToken(other, "submission-handling");
  for (const fields of [{ status: "deleted" }, { status: "resolved", form_token }] as Fields[]) {
    const answer = await handle(ctx, id, { intent: "handling", ...fields });
    expect(answer.status).toBe(400);
  }
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});

test("a form that a script has sent from its page is answered there, any other by a redirect with a message", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const fields = { intent: "handling", status: "resolved", answer: "beside" };
  const save = (query: string) => handle(ctx, `${id}${query}`, fields);
  const saved = await save("?_data=routes");
  expect(await saved.json()).toEqual({ saved: "Contact submission status has been updated successfully." });
  const again = await save("?_data=routes");
  expect(await again.json()).toEqual({ unchanged: "Nothing changed" });
  expect(base.cookiesSet).toEqual([]);
  expect((await save("")).headers.get("Location")).toBe(`/admin/submissions/${id}`);
  const view = { form_token: "old", intent: "save", return_to: "/admin/submissions" };
  const rejected = await views.post(ctx, "/admin/views?_data=routes", view);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({ rejection: expect.stringMatching(/open for too long/) });
  expect((await views.post(ctx, "/admin/views", view)).status).toBe(303);
});

test("a script gets the message with the answer to its form, and no cookie that another page could take", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx, { moderationReason: "content" });
  const fields = { form_token: issueFormToken(ctx, "submission-list"), intent: "release", id };
  const answer = await list.post(ctx, `${LIST}?_data=routes`, fields);
  expect(await answer.json()).toEqual({
    to: "/admin/submissions#result",
    flash: {
      kind: "success",
      title: "Released",
      message: "The submission is counted now, and its mails are queued.",
    },
  });
  expect(base.cookiesSet).toEqual([]);
  expect((await list.post(ctx, LIST, fields)).headers.get("Location")).toBe("/admin/submissions#result");
  expect(flash(base)).toMatch(/^Released: /);
});

test("two replies of one page are each sent again, with the token that the page has", async () => {
  const { ctx, base, person } = await staffMember();
  const actor = signedInAs(person, base.now());
  const { id } = await makeSubmission(ctx);
  for (const message of ["Monday works.", "Or Tuesday."])
    await replyToSubmission(ctx, actor, { submissionId: id, message, contacted: false, nonce: newToken() });
  await base.settle();
  await ctx.db.update(outbox).set({ status: "dead" }).where(eq(outbox.subject_id, id));
  const replies = await listReplies(ctx.db, id, { limit: 2, before: null });
  const form_token = issueFormToken(ctx, "submission-resend");
  const resend = (reply: string, token = form_token) => handle(ctx, id, { intent: "resend", reply, form_token: token });
  for (const reply of replies) {
    const answer = await resend(reply.id);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/admin/submissions/${id}#${reply.id}`]);
    expect(flash(base)).toMatch(/^Reply on its way: /);
  }
  await base.settle();
  const sent = await listReplies(ctx.db, id, { limit: 2, before: null });
  expect(sent.map(({ delivery }) => delivery?.status)).toEqual(["sent", "sent"]);
  for (const answer of [await resend(replies[0]?.id ?? "", "old"), await resend("srp_' OR 1=1")])
    expect(answer.status).toBe(400);
});

test("the page that a form without scripts comes back with is named an error only when the form was rejected", async () => {
  const { ctx, path, reference } = await openedTicket();
  const saysError = async (intent: string, body: string) => {
    const form_token = issueFormToken(ctx, "ticket-reply");
    const request = post(path, { intent, form_token, body, begun_at_message: "0" });
    const answered = await ticketAction(args(ctx, request, { ticket: reference }));
    const { hasErrors } = await (await ticketLoader(args(ctx, request, { ticket: reference }))).json();
    return [answered.status, hasErrors];
  };
  expect(await saysError("draft", "Restart the")).toEqual([200, false]);
  expect(await saysError("reply", "")).toEqual([400, true]);
  expect(await saysError("draft", "")).toEqual([200, false]);
});
