import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import { returnPath } from "~/features/auth/model";
import { addNote } from "~/features/notes/commands.server";
import { minutes } from "~/lib/time";
import { loader } from "~/routes/_admin.admin.exports.organization[.]zip";
import { loader as deletionPage } from "~/routes/_admin.admin.organizations.$organizationId_.delete";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, type Person } from "../support/factories";
import { administrator, details, newOrganization, nonce } from "../support/organizations";
import { args, get, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { makeTicket } from "../support/tickets";
import { unzip } from "../support/unzip";

let ctx: TestContext;
let base: TestContext;
let id: string;
let dana: Person;
let ticket: { id: string; number: number };

async function write(ticketId: string, organizationId: string, { text = "Still dead.", isInternal = false } = {}) {
  const messageId = ctx.newId("msg");
  await ctx.db.insert(ticketMessages).values({
    ...{ id: messageId, organization_id: organizationId, ticket_id: ticketId, message: text },
    ...{ author_name: "Sam Lee", side: "staff", is_internal: isInternal },
    ...{ created_at: ctx.now(), updated_at: ctx.now() },
  });
  return messageId;
}

async function attach(ticketId: string, name: string, messageId: string | null = null) {
  const bytes = new TextEncoder().encode(`%PDF-1.7 ${name}`);
  const stored = await storeFile(ctx, { name, kind: "pdf", bytes });
  const file = attachFile(ctx, stored, { subject: { type: "ticket", id: ticketId }, messageId });
  await commit(ctx.db, [file.statement]);
  return file.id;
}

beforeEach(async () => {
  const world = await administrator();
  ({ base, ctx } = world);
  id = await newOrganization(ctx, world.actor, details({ name: `Elm ${nonce()}`, domains: [`${nonce()}.example`] }));
  dana = await makePerson(base, { fullName: "Dana Whitlock" });
  await makeMember(base, id, dana, "owner");
  await makeInvitedMember(base, id, { email: "soon@clinic.example" });
  const subject = { type: "organization", id } as const;
  await addNote(ctx, world.actor, { subject, note: "Pays late.", nonce: nonce() });
  ticket = await makeTicket(base, { organizationId: id, createdBy: dana, title: "Ünïcode printer" });
});

const ask = (organization: string, { after = "", context = ctx } = {}) => {
  const query = new URLSearchParams({ organization, ...(after ? { after } : {}) });
  return loader(args(context, get(`/admin/exports/organization.zip?${query}`), {})) as Promise<Response>;
};
const opened = async (organization = id, after = "") =>
  unzip(new Uint8Array(await (await ask(organization, { after })).arrayBuffer()));
const rowsOf = (files: Map<string, string>, name: string): Record<string, unknown>[] =>
  (files.get(`${name}.ndjson`) ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("all that goes is in the archive, what only staff read in a folder of its own, and it is on record", async () => {
  await write(ticket.id, id);
  const note = await write(ticket.id, id, { text: "They forgot to pay.", isInternal: true });
  const shared = await attach(ticket.id, "plan.pdf");
  const hidden = await attach(ticket.id, "ours.pdf", note);
  const response = await ask(id);
  expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="organization-.*\.zip"$/);
  const files = unzip(new Uint8Array(await response.arrayBuffer()));
  expect(rowsOf(files, "tables/organizations")).toMatchObject([{ id }]);
  expect(rowsOf(files, "tables/organization_domains")).toHaveLength(1);
  expect(rowsOf(files, "tables/organization_memberships")).toMatchObject([
    { role: "owner", user_id: dana.id },
    { invited_email: "soon@clinic.example" },
  ]);
  expect(rowsOf(files, "tables/users")).toEqual([{ id: dana.id, email: dana.email, full_name: "Dana Whitlock" }]);
  expect(rowsOf(files, "tables/support_tickets")).toMatchObject([{ id: ticket.id, title: "Ünïcode printer" }]);
  expect(rowsOf(files, "tables/ticket_messages")).toMatchObject([{ message: "Still dead." }]);
  expect(rowsOf(files, "tables/attachments")).toMatchObject([{ id: shared, name: "plan.pdf" }]);
  expect(rowsOf(files, "internal/ticket_notes")).toMatchObject([{ message: "They forgot to pay." }]);
  expect(rowsOf(files, "internal/attachments")).toMatchObject([{ id: hidden, name: "ours.pdf" }]);
  expect(rowsOf(files, "internal/organization_notes")).toMatchObject([{ note: "Pays late." }]);
  expect(rowsOf(files, "internal/history")).toContainEqual(expect.objectContaining({ action: "organization.created" }));
  expect(files.get(`files/${shared}-plan.pdf`)).toBe("%PDF-1.7 plan.pdf");
  expect(files.get(`internal/files/${hidden}-ours.pdf`)).toBe("%PDF-1.7 ours.pdf");
  const outside = [...files].filter(([name]) => !name.startsWith("internal/")).map(([, text]) => text);
  expect(outside.join("\n")).not.toMatch(/They forgot|Pays late|ours\.pdf|r2_key|scrypt/);

  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "organization.data_exported"));
  expect(event).toMatchObject({ subject_id: id, org_id: id, subject_label: null });
});

test("who has asked for no more copies of a ticket cannot be told from the archive", async () => {
  const row = (name: string) => ({
    ...{ id: ctx.newId("cpy"), organization_id: id, ticket_id: ticket.id, email: `${name}@landlord.example` },
    ...{ added_by: null, added_at: 1 },
  });
  await ctx.db
    .insert(ticketCopies)
    .values([
      row("listed"),
      { ...row("stopped"), stopped_mailbox: "stopped@landlord.example" },
      { ...row("gone"), stopped_mailbox: "gone@landlord.example", removed_at: 2 },
    ]);
  const rows = rowsOf(await opened(), "tables/ticket_copies");
  expect(rows.map(({ email }) => email)).toEqual(["listed@landlord.example", "stopped@landlord.example"]);
  expect(JSON.stringify(rows)).not.toMatch(/stopped_mailbox|removed_at/);
});

test("a file whose message is gone counts as internal, because nobody knows who might read it", async () => {
  const lost = await attach(ticket.id, "lost.pdf", "msg_gone");
  const files = await opened();
  expect(rowsOf(files, "internal/attachments")).toMatchObject([{ id: lost }]);
  expect([...files.keys()].filter((name) => name.includes("files/"))).toEqual([`internal/files/${lost}-lost.pdf`]);
});

test("thousands of members, tickets, messages, notes and events are each in it once, and nothing of others is", async () => {
  const other = await makeOrganization(base, "Ash Clinic");
  await makeInvitedMember(base, other.id, { email: "foreign@ash.example" });
  const foreign = await makeTicket(base, { organizationId: other.id, createdBy: dana, title: "Foreign" });
  await write(foreign.id, other.id, { text: "Foreign words" });
  await attach(foreign.id, "foreign.pdf");
  const many = (sqlText: string) =>
    ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) ${sqlText}`);
  await many(`INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, role, status, invited_email)
    SELECT 'mem_${id}' || i, 1, 1, '${id}', 'member', 'pending', 'many' || i || '@elm.example' FROM n`);
  await many(`INSERT INTO admin_notes(id, created_at, updated_at, subject_type, subject_id, admin_user_id, author_name, note)
    SELECT 'note_${id}' || i, i / 3, 1, 'organization', '${id}', 'usr_1', 'Ada', 'Many ' || i FROM n`);
  await many(`INSERT INTO audit_events(at, actor_role, actor_name, action, subject_type, subject_id, org_id)
    SELECT i, 'admin', 'Many' || i, 'organization.updated', 'organization', '${id}', '${id}' FROM n`);
  await many(`INSERT INTO ticket_messages(id, created_at, updated_at, organization_id, ticket_id, author_name, side, message)
    SELECT 'msg_${id}' || i, i / 3, 1, '${id}', '${ticket.id}', 'Dana', 'client', 'Word ' || i FROM n`);
  const second = await makeTicket(base, { organizationId: id, createdBy: dana, title: "Second" });
  await write(second.id, id, { text: "Word 1201" });
  const files = await opened();
  const distinct = (name: string, column: string) => {
    const rows = rowsOf(files, name);
    return [rows.length, new Set(rows.map((row) => row[column])).size];
  };
  expect(distinct("tables/organization_memberships", "id")).toEqual([1_202, 1_202]);
  expect(distinct("internal/organization_notes", "id")).toEqual([1_201, 1_201]);
  expect(distinct("tables/ticket_messages", "message")).toEqual([1_201, 1_201]);
  expect(distinct("internal/history", "id")[0]).toBe(distinct("internal/history", "id")[1]);
  expect(rowsOf(files, "internal/history").filter(({ actor_name }) => /^Many/.test(String(actor_name)))).toHaveLength(
    1_200,
  );
  expect([...files.values()].join("\n")).not.toMatch(/[Ff]oreign|ash\.example/);
  // As an archive that ended between two messages of one ticket goes on.
  const [, middle] = await ctx.db.all<{ place: number }>(
    sql`SELECT rowid AS place FROM ticket_messages WHERE ticket_id = ${ticket.id} AND message IN ('Word 700', 'Word 701') ORDER BY rowid`,
  );
  const rest = await opened(id, `tables/ticket_messages:${ticket.number}.${middle?.place}`);
  const name = `tables/ticket_messages-after-${ticket.number}-${middle?.place}`;
  expect(rowsOf(rest, name).map(({ message }) => message)).toEqual(
    Array.from({ length: 500 }, (_, index) => `Word ${702 + index}`),
  );
  expect(rest.has("tables/organizations.ndjson")).toBe(false);
});

test("the page counts what goes, with the size of the files", async () => {
  await write(ticket.id, id);
  await attach(ticket.id, "ours.pdf", await write(ticket.id, id, { isInternal: true }));
  const page = await deletionPage(args(ctx, get(`/admin/organizations/${id}/delete`), { organizationId: id }));
  expect((await page.json()).organization).toMatchObject({
    ...{ members: 2, tickets: 1, domains: 1, fileBytes: 17 },
    messages: { count: 1, isMore: false },
    files: { count: 1, isMore: false },
    letters: { count: 0, isMore: false },
    notes: { count: 2, isMore: false },
  });
});

test("it needs a recent proof, which leads back to the page of the deletion; technicians and unknown ids get nothing", async () => {
  for (const unknown of ["org_missing", ""]) expect((await thrownBy(ask(unknown))).status).toBe(404);
  for (const after of ["tables/sessions:0", "x", "files:x"])
    expect((await thrownBy(ask(id, { after }))).status).toBe(404);
  const { ctx: technician } = await staffMember("moderator");
  expect((await thrownBy(ask(id, { context: technician }))).status).toBe(403);
  base.clock.advance(minutes(11));
  const leadsBackTo = async (after = "") => {
    const question = new URL((await ask(id, { after })).headers.get("Location") ?? "", "https://wrenfield.example");
    expect(question.pathname).toBe("/profile/confirm");
    return returnPath(question.searchParams.get("redirectTo"));
  };
  expect(await leadsBackTo()).toBe(`/admin/organizations/${id}/delete`);
  expect(await leadsBackTo("files:7.1")).toBe(`/admin/organizations/${id}/delete?after=files%3A7.1`);
});
