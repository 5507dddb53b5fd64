import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { listStatusChanges } from "~/features/submissions/record/read-record.server";
import { hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { loader as download } from "~/routes/_admin.admin.attachments.$attachmentId";
import { action as listAction, loader as listLoader } from "~/routes/_admin.admin.submissions._index";
import { action, loader } from "~/routes/_admin.admin.submissions.$submissionId";
import { bulk, flash, staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makeMember, makeOrganization, makePerson, makeSubmission, signedInAs } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { listSubmissions } from "../support/submission-list";

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
  const response = await loader(args(ctx, get(`/admin/submissions/${row?.id}`), { submissionId: row?.id ?? "" }));
  const { submission } = await response.json();
  return { ctx, base, submission };
}

test.each([
  "sub_unknown",
  "",
  "' or 1=1 --",
  "a".repeat(5_000),
])("a submission with the id %j is not found", async (id) => {
  const { ctx } = await technician();
  expect((await thrownBy(loader(args(ctx, get("/admin/submissions/x"), { submissionId: id })))).status).toBe(404);
});

test("a person without a staff role is denied by the record itself, not only by its layout", async () => {
  const ctx = testContext();
  const submission = await makeSubmission(ctx);
  const member = as(ctx, await makePerson(ctx, { role: "user" }));
  const rejected = await thrownBy(loader(args(member, get("/admin"), { submissionId: submission.id })));
  expect(rejected.status).toBe(403);
});

test("a ticket is opened where the sender is an active member, or else by the company they named", async () => {
  const { base, ctx } = await technician();
  const organization = await makeOrganization(base, "Larkspur Row");
  const [active, suspended] = [await makePerson(base), await makePerson(base)];
  await makeMember(base, organization.id, active, "member");
  await makeMember(base, organization.id, suspended, "member", "suspended");
  const ticketPath = async (of: Parameters<typeof makeSubmission>[1]) => {
    const { id } = await makeSubmission(base, of);
    const page = await (await loader(args(ctx, get(`/admin/submissions/${id}`), { submissionId: id }))).json();
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
  const page = async () => (await loader(args(ctx, get(`/admin/submissions/${id}`), { submissionId: id }))).json();
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

test("a status that is none of the three is rejected and changes nothing", async () => {
  const { ctx } = await technician();
  const submission = await makeSubmission(ctx);
  const path = `/admin/submissions/${submission.id}`;
  const form_token = issueFormToken(ctx, "submission-handling");
  const response = await action(
    args(ctx, post(path, { form_token, intent: "handling", status: "deleted" }), { submissionId: submission.id }),
  );
  expect(response.status).toBe(400);
  const rows = await listSubmissions(ctx.db);
  expect(rows.find((row) => row.id === submission.id)?.status).toBe("new");
});

test("a token of another person's session moves nothing", async () => {
  const { ctx, base } = await technician();
  const submission = await makeSubmission(ctx);
  const other = as(base, await makePerson(base, { role: "admin" }));
  const form_token = issueFormToken(other, "submission-handling");
  const path = `/admin/submissions/${submission.id}`;
  const sent = post(path, { form_token, intent: "handling", status: "resolved" });
  const response = await action(args(ctx, sent, { submissionId: submission.id }));
  expect(response.status).toBe(400);
  const rows = await listSubmissions(ctx.db);
  expect(rows.find((row) => row.id === submission.id)?.status).toBe("new");
});

test("a file leaves byte for byte, as a download in a sandbox, and the audit knows who took it", async () => {
  const bytes = pdf("floor plan");
  const { ctx, submission } = await withFile(bytes, 'plan "ä".pdf');
  const fileId = submission.file?.id ?? "";
  const response = await download(args(ctx, get("/admin/attachments/x"), { attachmentId: fileId }));
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
  const attachmentId = submission.file?.id ?? "";
  expect((await thrownBy(download(args(ctx, get("/admin/attachments/x"), { attachmentId })))).status).toBe(404);
});

/** Opens the list and returns the rows of a company. */
async function rowsOf(ctx: TestContext, company: string, query: string) {
  const opened = await listLoader(args(ctx, get(`/admin/submissions?${query}`), {}));
  const { list } = await opened.json();
  return (list?.page.rows ?? []).filter((row) => row.company === company);
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
  [listLoader, "/admin/submissions", "q=&status=new&sort=newest&from=&to=&size=50", "status=new&size=50"],
  [activity, "/admin/activity", "type=&q=a", "q=a"],
])("an address with empty parameters, as a form without scripts sends it, leads to the one without them", async (open, path, query, kept) => {
  const { ctx } = await staffMember();
  const moved = await thrownBy(open(args(ctx, get(`${path}?${query}`), {})));
  expect([moved.status, moved.headers.get("Location")]).toEqual([302, `${path}?${kept}`]);
});

test("days in the wrong order are answered with 400, and are still in the fields", async () => {
  const { ctx } = await staffMember();
  const answer = await listLoader(args(ctx, get("/admin/submissions?from=2026-11-12&to=2026-11-10&q=anna"), {}));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    filter: { from: "2026-11-12", to: "2026-11-10", q: "anna" },
    list: { page: { rows: [] } },
  });
});

/** Builds the form of the rows as a page of two rows posts it: what its two selects say, and the button pressed. */
const saveStatus = (fields: { form_token: string; save: string }): Request => {
  const body = new URLSearchParams({ ...fields, intent: "status", return_to: "/admin/submissions?status=new" });
  for (const status of ["deleted", "resolved"]) body.append("status", status);
  return new Request("http://localhost:8787/admin/submissions", { method: "POST", body });
};

test("the select of a row moves its submission and leads back to the same list, two rows from one page", async () => {
  const { ctx, base } = await staffMember();
  const form_token = issueFormToken(ctx, "submission-list");
  for (const { id } of [await makeSubmission(ctx), await makeSubmission(ctx)]) {
    const response = await listAction(args(ctx, saveStatus({ form_token, save: `1.${id}` }), {}));
    expect(response.headers.get("Location")).toBe(`/admin/submissions?status=new#${id}`);
    expect(flash(base)).toBe("Status Updated: Contact submission status has been updated successfully.");
    expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "resolved" });
  }
});

test("a row whose status was chosen already is not said to be updated, and no history is written", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx, { status: "resolved" });
  const form_token = issueFormToken(ctx, "submission-list");
  await listAction(args(ctx, saveStatus({ form_token, save: `1.${id}` }), {}));
  expect(flash(base)).toBe("Nothing changed: The status was Resolved already.");
  expect(await listStatusChanges(ctx.db, id)).toEqual([]);
});

test.each(["7", "0", "x", ""])("the button of a row with no select at %j moves nothing", async (position) => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const form_token = issueFormToken(ctx, "submission-list");
  const rejected = await listAction(args(ctx, saveStatus({ form_token, save: `${position}.${id}` }), {}));
  expect(rejected.status).toBe(400);
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new", version: 1 });
});

test("a bulk change that finds only rows of another version is no success", async () => {
  const { ctx, base } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const done = await makeSubmission(ctx, { status: "contacted" });
  const form_token = issueFormToken(ctx, "submission-list");
  const fields = { form_token, intent: "bulk-status", status: "contacted", scope: "selected" };
  const rejected = await listAction(args(ctx, bulk("/admin/submissions", fields, [`${id}.7`]), {}));
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toEqual({
    rejection: "Failed to update submissions. 1 skipped: changed since you opened the list.",
    rows: [`${id}.7`],
  });
  const again = { ...fields, form_token: issueFormToken(ctx, "submission-list") };
  await listAction(args(ctx, bulk("/admin/submissions", again, [`${done.id}.1`]), {}));
  expect(flash(base)).toBe("Nothing changed: 1 was contacted already.");
});

test("a filter that cannot be read does not stand for all submissions", async () => {
  const { ctx } = await staffMember();
  const { id } = await makeSubmission(ctx, { firstName: "Untouched" });
  const fields = { intent: "bulk-status", status: "resolved", scope: "all", read_at: String(ctx.now()) };
  for (const query of [`q=${"%F0%9F%98%80".repeat(400)}`, null]) {
    const form_token = issueFormToken(ctx, "submission-list");
    const request = post("/admin/submissions", { ...fields, ...(query === null ? {} : { query }), form_token });
    expect(await (await listAction(args(ctx, request, {}))).json()).toMatchObject({
      rejection: "Select at least one submission first.",
    });
  }
  const longest = new URLSearchParams({ q: "😀".repeat(200), status: "new" }).toString();
  const request = post("/admin/submissions", {
    ...{ ...fields, query: longest },
    form_token: issueFormToken(ctx, "submission-list"),
  });
  await listAction(args(ctx, request, {}));
  expect(await findSubmission(ctx.db, id)).toMatchObject({ status: "new" });
});
