import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { ticketCopies } from "~/db/schema/ticket-copies";
import { ticketMessages } from "~/db/schema/tickets";
import { personFiles } from "~/features/privacy/person/person-files.server";
import { days, minutes } from "~/lib/time";
import { loader as file } from "~/routes/_admin.admin.exports.person[.]zip";
import { action as holdAction, loader as privacyPage } from "~/routes/_admin.admin.privacy._index";
import { action as eraseAction, loader as personPage } from "~/routes/_admin.admin.privacy.$personId";
import { loader as consentsPage } from "~/routes/_admin.admin.privacy.consents";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSubmission, PASSWORD, type Person } from "../support/factories";
import { args, get, post } from "../support/requests";
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
  await base.db.run(sql`WITH RECURSIVE uses(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM uses LIMIT 201)
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

const asked = (path: string, params = {}) => args(ctx, get(path), params);

test("the file about a person has what they sent and wrote with their files, and no internal note or secret", async () => {
  const response = (await file(asked(`/admin/exports/person.zip?person=${dana.id}`))) as Response;
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="person-2026-11-18.zip"/);
  const files = unzip(new Uint8Array(await response.arrayBuffer()));
  expect([...files.keys()]).toEqual([
    "README.txt",
    "requests.json",
    "account.json",
    "organizations.json",
    "tickets.json",
    "messages.json",
    "uses-of-second-factor.json",
    "uses-of-second-factor-2.json",
    expect.stringMatching(/^files\/att_.*-plan\.pdf$/),
  ]);
  expect(files.get("tickets.json")).toContain("Ünïcode printer");
  expect(JSON.parse(files.get("uses-of-second-factor-2.json") ?? "")).toMatchObject([{ ip: "192.0.2.200" }]);
  expect([...files.values()].join()).toContain("%PDF-1.7 of Dana");
  expect([...files.values()].join()).toContain("It smokes");
  expect([...files.values()].join()).not.toMatch(/never pay|scrypt|password_hash|totp/);
  const [event] = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "user.data_exported"));
  expect(event?.subject_id).toBe(dana.id);
  await expect(file(asked("/admin/exports/person.zip?person=usr_nobody"))).rejects.toMatchObject({ status: 404 });
});

test("somebody known only by copies of a ticket has a page and a file", async () => {
  const organization = await makeOrganization(base, "Brightsmile");
  const ticket = await makeTicket(base, { organizationId: organization.id, createdBy: dana });
  const email = "facilities@landlord.example";
  const copy = { id: "cpy_a", organization_id: organization.id, ticket_id: ticket.id, email, added_at: base.now() };
  await base.db.insert(ticketCopies).values(copy);
  const { people } = await (await privacyPage(asked(`/admin/privacy?q=${email}`))).json();
  expect(people).toEqual([{ id: "cpy_a", userId: null, name: email, email }]);
  const page = await (await personPage(asked("/admin/privacy/cpy_a", { personId: "cpy_a" }))).json();
  expect([page.person.email, page.counts.copies]).toEqual([email, 1]);
  const response = (await file(asked("/admin/exports/person.zip?person=cpy_a"))) as Response;
  const files = unzip(new Uint8Array(await response.arrayBuffer()));
  expect(files.get("copies-of-tickets.json")).toContain(`T-${ticket.number}`);
});

test("where one archive cannot hold all files, its last one says where the others are, and none is left out", async () => {
  const { id } = await makeSubmission(base, { email: "collector@maple.example" });
  await base.db.run(sql`WITH RECURSIVE files(number) AS (SELECT 1000 UNION ALL SELECT number + 1 FROM files LIMIT 905)
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id)
    SELECT 'att_z' || number, 'files/' || number, 'a.pdf', 'pdf', 1, '', 0, 'submission', ${id} FROM files`);
  const person = { id, userId: null, name: "Carl", email: "collector@maple.example" };
  const stored = { db: base.db, files: { ...base.files, get: async () => new Response("x").body } };
  const archive = async (after: string) => {
    const names: string[] = [];
    const asked = { after, next: (last: string) => last };
    for await (const { name, bytes } of personFiles(stored as Parameters<typeof personFiles>[0], person, asked)) {
      names.push(name === "MORE-FILES.txt" ? new TextDecoder().decode(bytes) : name);
    }
    return names;
  };
  const first = await archive("");
  expect(first.at(-1)).toContain("They are at att_z1899");
  const second = await archive("att_z1899");
  const files = [...first, ...second].filter((name) => name.startsWith("files/"));
  expect([files.length, new Set(files).size, second.includes("requests.json")]).toEqual([905, 905, false]);
});

test("without a fresh proof of identity the file leads to the question, and the forms ask inside and keep what was typed", async () => {
  const path = `/admin/privacy/${dana.id}`;
  ctx.clock.advance(minutes(11));
  const redirect = (await file(asked(`/admin/exports/person.zip?person=${dana.id}`)).catch(
    (thrown: unknown) => thrown,
  )) as Response;
  expect(redirect.headers.get("Location")).toContain("/profile/confirm");
  const { tokens } = await (await personPage(asked(path, { personId: dana.id }))).json();
  const token = tokens.erase ?? "";
  const sent = (fields: Record<string, string>) =>
    eraseAction(args(ctx, post(path, { intent: "erase", form_token: token, ...fields }), { personId: dana.id }));
  for (const [fields, field] of [
    [{ confirm: "erase" }, "confirm"],
    [{}, "confirm"],
    [{ confirm: "ERASE", current_password: `${PASSWORD}x`, code: "000000" }, "form"],
  ] as const) {
    const response = (await sent(fields)) as Response;
    expect(response.status).toBe(400);
    const answer = JSON.stringify(await response.json());
    expect(answer).toContain("confirm" in fields && field === "form" ? "ERASE" : "capital letters");
    expect(answer).not.toContain(PASSWORD);
  }
  expect((await (await personPage(asked(path, { personId: dana.id }))).json()).person.name).toBe("Dana Ortiz");
});

test("a person is found by account or by the address of a request, with what is stored, and holds are listed", async () => {
  ctx.clock.set(base.now() - minutes(11));
  const { id } = await makeSubmission(base, { email: "visitor@maple.example", firstName: "Vera", lastName: "Visitor" });
  const found = async (text: string) =>
    (await (await privacyPage(asked(`/admin/privacy?q=${encodeURIComponent(text)}`))).json()).people?.map((person) => [
      person.name,
      person.userId === null,
    ]);
  expect(await found("dana or")).toEqual([["Dana Ortiz", false]]);
  expect(await found("Visitor@maple.example")).toEqual([["Vera Visitor", true]]);
  expect(await found('"*')).toEqual([]);
  const { counts } = await (await personPage(asked("/", { personId: id }))).json();
  expect(counts).toMatchObject({ submissions: 1, tickets: 0, memberships: 0 });

  const read = async () => (await privacyPage(asked("/admin/privacy"))).json();
  const { tokens } = await read();
  const hold = (subject: string, reason: string) =>
    holdAction(args(ctx, post("/admin/privacy", { intent: "hold", form_token: tokens.hold ?? "", subject, reason })));
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
  for (let count = 0; count < 52; count += 1) await makeSubmission(base, { at: base.now() - days(count) });
  const first = await (await consentsPage(asked("/admin/privacy/consents"))).json();
  expect(first.consents).toHaveLength(50);
  expect(first.consents[0]).toMatchObject({ version: "2026-11-01", form: "Contact form", number: /^L-/ });
  const second = await (await consentsPage(asked(`/admin/privacy/consents?before=${first.older}`))).json();
  const numbers = [...first.consents, ...second.consents].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(second.older).toBeNull();
});
