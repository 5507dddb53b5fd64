import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { contactSubmissions } from "~/db/schema/submissions";
import { defaultPriceList } from "~/features/pricing/current-prices";
import { estimate } from "~/features/pricing/estimate";
import { submitContact } from "~/features/submissions/intake/submit-contact.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as download } from "~/routes/_admin.admin.attachments.$attachmentId";
import { action, loader } from "~/routes/_admin.admin.submissions.$submissionId";
import { testContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makeMember, makeOrganization, makePerson, makeSubmission } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { listSubmissions } from "../support/submission-list";

async function staffMember() {
  const ctx = testContext();
  const jordan = await makePerson(ctx, { role: "moderator", fullName: "Jordan Vale" });
  return { base: ctx, ctx: as(ctx, jordan) };
}

async function withFile(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const { base, ctx } = await staffMember();
  const email = `${crypto.randomUUID()}@b.example`;
  const input = { first_name: "A", last_name: "B", email, phone: null, company: null, message: null };
  await submitContact(base, {
    input: { ...input, agreed_to_terms: "on" },
    file: await storeFile(base, { name, kind: "pdf", bytes }),
    nonce: crypto.randomUUID(),
    termsVersion: "2026-11-01",
    held: null,
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
  const { ctx } = await staffMember();
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
  const { base, ctx } = await staffMember();
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
  const { base, ctx } = await staffMember();
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
  const { ctx } = await staffMember();
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
  const { ctx, base } = await staffMember();
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
