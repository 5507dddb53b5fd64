import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { contacts } from "~/db/schema/organizations";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages } from "~/db/schema/tickets";
import { days, minutes } from "~/lib/time";
import * as fileRoute from "~/routes/_admin.admin.exports.person[.]zip";
import * as homeRoute from "~/routes/_admin.admin.privacy._index";
import * as personRoute from "~/routes/_admin.admin.privacy.$personId";
import * as consentsRoute from "~/routes/_admin.admin.privacy.consents";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import {
  makeMember,
  makeOrganization,
  makePerson,
  makeSubmission,
  PASSWORD,
  type Person,
  together,
} from "../support/factories";
import { pageAt } from "../support/page";
import { costOf, type Fields } from "../support/requests";
import { storeAttachment } from "../support/stored-files";
import { makeTicket } from "../support/tickets";
import { unzip } from "../support/unzip";

let ctx: TestContext;
let base: TestContext;
let dana: Person;
let request: { id: string; number: number };

beforeAll(async () => {
  ({ ctx, base } = await staffMember());
  const organization = await makeOrganization(base, "Larkspur Row");
  dana = await makePerson(base, { fullName: "Dana Ortiz", email: "dana@larkspur.example" });
  await makeMember(base, organization.id, dana, "member");
  const ticket = await makeTicket(base, { organizationId: organization.id, createdBy: dana, title: "Ünïcode printer" });
  const written = { organization_id: organization.id, ticket_id: ticket.id, created_at: base.now(), updated_at: 0 };
  await base.db.insert(ticketMessages).values([
    { ...written, id: "msg_a", user_id: dana.id, author_name: "Dana Ortiz", side: "client", message: "It smokes" },
    { ...written, id: "msg_b", author_name: "Sam", side: "staff", is_internal: true, message: "They never pay" },
  ]);
  await base.db.run(sql`WITH RECURSIVE uses(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM uses LIMIT 601)
    INSERT INTO mfa_audit_log(user_id, action, method, success, ip_address, created_at)
    SELECT ${dana.id}, 'backup_code_used', 'backup_code', 1, '192.0.2.' || number, ${base.now()} FROM uses`);
  request = await makeSubmission(base, { email: dana.email, firstName: "Dana", lastName: "Ortiz" });
  const bytes = new Uint8Array(Buffer.from("%PDF-1.7 of Dana"));
  const { statement } = await storeAttachment(
    base,
    { name: "plan.pdf", kind: "pdf", bytes },
    { type: "submission", id: request.id },
  );
  await commit(base.db, [statement]);
});

const home = pageAt("/admin/privacy", homeRoute);
const personPage = pageAt("/admin/privacy/:personId", personRoute);
const consentsPage = pageAt("/admin/privacy/consents", consentsRoute);
const file = pageAt("/admin/exports/person.zip", fileRoute);

const take = (person: string, by = ctx) =>
  file.open(by, `/admin/exports/person.zip?person=${person}`) as Promise<Response>;
const filesIn = async (response: Response) => unzip(new Uint8Array(await response.arrayBuffer()));

test("the file about a person has what they sent and wrote with their files, and no internal note or secret", async () => {
  const response = await take(dana.id);
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="person-2026-11-18.zip"/);
  const files = await filesIn(response);
  expect([...files].filter(([, text]) => text !== "").map(([name]) => name)).toEqual([
    "README.txt",
    "requests.ndjson",
    "account.ndjson",
    "organizations.ndjson",
    "tickets.ndjson",
    "messages.ndjson",
    "uses-of-second-factor.ndjson",
    expect.stringMatching(/^files\/att_.*-plan\.pdf$/),
  ]);
  expect(files.get("tickets.ndjson")).toContain("Ünïcode printer");
  const uses = (files.get("uses-of-second-factor.ndjson") ?? "").trim().split("\n");
  expect([uses.length, JSON.parse(uses.at(-1) ?? "")]).toMatchObject([601, { ip: "192.0.2.600" }]);
  expect([...files.values()].join()).toContain("%PDF-1.7 of Dana");
  expect([...files.values()].join()).toContain("It smokes");
  expect([...files.values()].join()).not.toMatch(/never pay|scrypt|password_hash|totp/);
  const [event] = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "user.data_exported"));
  expect(event?.subject_id).toBe(dana.id);
  await expect(take("usr_nobody")).rejects.toMatchObject({ status: 404 });
});

test("somebody known only by copies of a ticket has a page and a file", async () => {
  const organization = await makeOrganization(base, "Brightsmile");
  const ticket = await makeTicket(base, { organizationId: organization.id, createdBy: dana });
  const email = "facilities@landlord.example";
  const copy = { id: "cpy_a", organization_id: organization.id, ticket_id: ticket.id, email, added_at: base.now() };
  await base.db.insert(ticketCopies).values(copy);
  const { people } = await home.read(ctx, `/admin/privacy?q=${email}`);
  expect(people).toEqual([{ id: "cpy_a", userId: null, name: email, email }]);
  const page = await personPage.read(ctx, "/admin/privacy/cpy_a");
  expect([page.person.email, page.counts.copies]).toEqual([email, 1]);
  const files = await filesIn(await take("cpy_a"));
  expect(files.get("copies-of-tickets.ndjson")).toContain(`T-${ticket.number}`);
});

test("a contact has a page and a file, which reads as much however many files others have sent", async () => {
  const organization = await makeOrganization(base, "Contacts");
  const email = "lee@contacts.example";
  const contact = { id: "con_a", organization_id: organization.id, email, full_name: "Lee Marsh", created_at: 1 };
  await base.db.insert(contacts).values(contact);
  const ticket = await makeTicket(base, { organizationId: organization.id, createdBy: dana });
  await base.db.run(sql`UPDATE support_tickets SET created_by = NULL, contact_id = 'con_a' WHERE id = ${ticket.id}`);
  const page = await personPage.read(ctx, "/admin/privacy/con_a");
  expect(page.person).toMatchObject({ id: "con_a", name: "Lee Marsh", email });
  const taken = async () =>
    expect((await filesIn(await take("con_a"))).get("tickets.ndjson")).toContain("Printer offline");
  const few = await costOf(base, taken);
  await base.db.run(sql`WITH RECURSIVE files(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM files LIMIT 400)
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id, message_id)
    SELECT 'att_other' || number, 'other/' || number, 'a.pdf', 'pdf', 1, '', 0,
      iif(number % 2, 'submission', 'ticket'), 'other' || number, iif(number % 4, NULL, 'msg' || number) FROM files`);
  expect((await costOf(base, taken)).rows).toBeLessThan(few.rows + 50);
});

test("where one archive cannot hold all files, its last one says where the others are, and none is left out", async () => {
  const { id } = await makeSubmission(base, { email: "collector@maple.example" });
  await base.db.run(sql`WITH RECURSIVE files(number) AS (SELECT 1000 UNION ALL SELECT number + 1 FROM files LIMIT 905)
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id)
    SELECT 'att_z' || number, 'files/' || number, 'a.pdf', 'pdf', 1, '', 0, 'submission', ${id} FROM files`);
  const stored = { ...ctx, files: { ...ctx.files, get: async () => new Response("x").body } } as unknown as TestContext;
  const archive = async (rest: string) => {
    const response = await take(rest, stored);
    return [response, await filesIn(response)] as const;
  };
  const countedAs = async (type: string) =>
    (await base.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.attempt_type, type)))[0]?.attempts ?? 0;
  const before = await countedAs("export_user");
  const [, first] = await archive(id);
  const next = new URL(/https?:\/\/\S+/.exec([...first].at(-1)?.[1] ?? "")?.[0] ?? "");
  const [response, second] = await archive(next.href.split("?person=")[1] ?? "");
  const files = [...first.keys(), ...second.keys()].filter((name) => name.startsWith("files/"));
  expect([files.length, new Set(files).size, second.has("requests.ndjson")]).toEqual([905, 905, false]);
  expect(response.headers.get("Content-Disposition")).toContain("-more.zip");
  expect([await countedAs("export_user"), await countedAs("export_more_user")]).toEqual([before + 1, 1]);
  const recorded = await base.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(eq(auditEvents.action, "user.data_exported"));
  expect(JSON.parse(recorded.at(-1)?.meta ?? "")).toEqual({ after: next.searchParams.get("after") });
  for (const after of ["x", "sessions:x", "tables/users:0"])
    await expect(take(`${id}&after=${after}`)).rejects.toMatchObject({ status: 404 });
});

test("the file about a person has the addresses they used, and not that of who reset their second factor", async () => {
  const kim = await makePerson(base, { fullName: "Kim Reset", email: "kim@larkspur.example" });
  await base.db.run(sql`INSERT INTO mfa_audit_log(user_id, action, method, success, ip_address, created_at) VALUES
    (${kim.id}, 'setup', 'totp', 1, '198.51.100.1', 1), (${kim.id}, 'admin_reset', 'totp', 1, '203.0.113.9', 2)`);
  const text = [...(await filesIn(await take(kim.id))).values()].join("\n");
  for (const told of ["198.51.100.1", "admin_reset"]) expect(text).toContain(told);
  expect(text).not.toContain("203.0.113.9");
});

test("without a fresh proof of identity the file leads to the question, and the forms ask inside and keep what was typed", async () => {
  const path = `/admin/privacy/${dana.id}`;
  ctx.clock.advance(minutes(11));
  const redirect = await take(dana.id).catch((thrown: Response) => thrown);
  expect(redirect.headers.get("Location")).toContain("/profile/confirm");
  const { tokens } = await personPage.read(ctx, path);
  const erase = (fields: Fields) =>
    personPage.post(ctx, path, { intent: "erase", form_token: tokens.erase ?? "", ...fields });
  for (const [fields, field] of [
    [{ confirm: "erase" }, "confirm"],
    [{}, "confirm"],
    [{ confirm: "ERASE", current_password: `${PASSWORD}x`, code: "000000" }, "form"],
  ] as const) {
    const response = (await erase(fields)) as Response;
    expect(response.status).toBe(400);
    const answer = JSON.stringify(await response.json());
    expect(answer).toContain("confirm" in fields && field === "form" ? "ERASE" : "capital letters");
    expect(answer).not.toContain(PASSWORD);
  }
  expect((await personPage.read(ctx, path)).person.name).toBe("Dana Ortiz");
  ctx.clock.advance(-minutes(11));
});

test("a person is found by account or by the address of a request, with what is stored, and holds are listed", async () => {
  const { id } = await makeSubmission(base, { email: "visitor@maple.example", firstName: "Vera", lastName: "Visitor" });
  const found = async (text: string) =>
    (await home.read(ctx, `/admin/privacy?q=${encodeURIComponent(text)}`)).people?.map((person) => [
      person.name,
      person.userId === null,
    ]);
  expect(await found("dana or")).toEqual([["Dana Ortiz", false]]);
  expect(await found("Visitor@maple.example")).toEqual([["Vera Visitor", true]]);
  expect(await found('"*')).toEqual([]);
  const { counts } = await personPage.read(ctx, `/admin/privacy/${id}`);
  expect(counts).toMatchObject({ submissions: 1, tickets: 0, memberships: 0 });

  const read = () => home.read(ctx);
  const { tokens } = await read();
  const hold = (subject: string, reason: string) =>
    home.post(ctx, "/admin/privacy", { intent: "hold", form_token: tokens.hold ?? "", subject, reason });
  for (const [subject, reason] of [
    ["", "why"],
    ["L-999999999", "why"],
    [`L-${request.number}`, ""],
  ] as const) {
    expect(((await hold(subject, reason)) as Response).status).toBe(400);
  }
  expect(((await hold(`L-${request.number}`, "A dispute")) as Response).status).toBe(303);
  const holds = [{ type: "submission", label: "Dana Ortiz", reason: "A dispute" }];
  expect((await read()).holds).toMatchObject(holds);
  // A page that could not be read again has the same token.
  const other = await makeSubmission(base, { firstName: "Nora", lastName: "Next" });
  expect(((await hold(`L-${other.number}`, "Another one")) as Response).status).toBe(303);
  expect((await read()).holds.map(({ label }) => label).sort()).toEqual(["Dana Ortiz", "Nora Next"]);
});

test("consents say who agreed to which terms, when and with which form, page by page", async () => {
  await together(base, async (all) => {
    for (let count = 0; count < 52; count += 1) await makeSubmission(all, { at: base.now() - days(count) });
  });
  const first = await consentsPage.read(ctx);
  expect(first.consents).toHaveLength(50);
  expect(first.consents[0]).toMatchObject({ version: "2026-11-01", form: "Contact form", number: /^L-/ });
  const second = await consentsPage.read(ctx, `/admin/privacy/consents?before=${first.older}`);
  const numbers = [...first.consents, ...second.consents].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(second.older).toBeNull();
});
