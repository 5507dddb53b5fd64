import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { waitsForReview } from "~/features/organization-management/model";
import { findDetails } from "~/features/organization-management/queries.server";
import { minutes } from "~/lib/time";
import * as listRoute from "~/routes/_admin.admin.organizations._index";
import * as pageRoute from "~/routes/_admin.admin.organizations.$organizationId";
import * as deleteRoute from "~/routes/_admin.admin.organizations.$organizationId_.delete";
import * as noteRoute from "~/routes/_admin.admin.organizations.$organizationId_.notes.$noteId";
import * as transferRoute from "~/routes/_admin.admin.organizations.$organizationId_.transfer";
import * as newRoute from "~/routes/_admin.admin.organizations.new";
import { flash, staffMember, withFreshProof } from "../support/admin-area";
import type { TestContext } from "../support/context";
import {
  makeInvitedMember,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  together,
} from "../support/factories";
import { newOrganization, organizationAndStaff } from "../support/organizations";
import { pageAt } from "../support/page";
import { costOf, type Fields, thrownBy } from "../support/requests";
import { ticketPage } from "../support/ticket-forms";
import { makeTicket } from "../support/tickets";

const LIST = "/admin/organizations";
const list = pageAt(LIST, listRoute);
const creation = pageAt(`${LIST}/new`, newRoute);
const page = pageAt(`${LIST}/:organizationId`, pageRoute);
const deletion = pageAt(`${LIST}/:organizationId/delete`, deleteRoute);
const note = pageAt(`${LIST}/:organizationId/notes/:noteId`, noteRoute);
const transfer = pageAt(`${LIST}/:organizationId/transfer`, transferRoute);

const pageOf = (ctx: TestContext, id: string, query = "") => page.read(ctx, `${LIST}/${id}${query}`);
const send = (ctx: TestContext, id: string, purpose: string, fields: Fields) =>
  page.send(ctx, `${LIST}/${id}`, purpose, fields);
const create = (ctx: TestContext, fields: Fields) => creation.send(ctx, `${LIST}/new`, "organization-new", fields);

const edit = (ctx: TestContext, id: string, fields: Fields) =>
  send(ctx, id, "organization-edit", { intent: "edit", name: "Oak Dental", plan: "core", version: "1", ...fields });

test("organizations are found by any letters of their name, address and description", async () => {
  const { ctx } = await organizationAndStaff({ name: "Zubrowka Optik", description: "Ćma i świeca" });
  const find = async (q: string) => {
    const { list: read, filter } = await list.read(ctx, `${LIST}?q=${q}`);
    return { names: read?.page.rows.map(({ name }) => name), q: filter.q };
  };
  expect((await find("zubrowka")).names).toEqual(["Zubrowka Optik"]);
  expect((await find("/zubrowka-op".slice(1))).names).toEqual(["Zubrowka Optik"]);
  expect((await find(encodeURIComponent("swieca"))).names).toEqual(["Zubrowka Optik"]);
  expect((await find("ZU")).names).toEqual(["Zubrowka Optik"]);
  expect((await find(encodeURIComponent("ć"))).names).toContain("Zubrowka Optik");
  expect((await find("zuq")).names).toEqual([]);
});

test.each([
  [{ name: " " }, { name: "Name is required" }],
  [{ name: "x".repeat(201) }, { name: "Name can have at most 200 characters" }],
  [{ description: "x".repeat(2_001) }, { description: "Description can have at most 2,000 characters" }],
  [{ plan: "gold" }, { plan: "Choose one of the plans" }],
  [{ domains: "oak" }, { domains: "“oak” is not a domain. Write it like clinic.example." }],
  [{ domains: "oak.example\nGMail.com" }, { domains: expect.stringContaining("gmail.com") }],
  [{ owner_email: "boss@" }, { owner_email: "Please enter a valid email address" }],
])("a new organization with %o is rejected, and what was typed stays", async (changes, errors) => {
  const { ctx } = await staffMember();
  const fields: Record<string, string> = { name: "Rejected Ltd", description: "Kept", plan: "core", ...changes };
  const response = await create(ctx, fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ title: "Failed to create organization", errors, values: fields });
  expect(await ctx.db.select().from(organizations).where(eq(organizations.name, "Rejected Ltd"))).toEqual([]);
});

test("a new organization leads to its page, where its owner is pending", async () => {
  const { ctx, base } = await staffMember();
  const fields = { name: "Birch & Co", plan: "", domains: "@Birch.example\r\n", owner_email: "Boss@Birch.example" };
  const response = await create(ctx, fields);
  const id = response.headers.get("Location")?.split("/").at(-1) ?? "";
  expect(flash(base)).toBe("Success: Organization created successfully");
  const { organization, owner, members } = await pageOf(ctx, id);
  expect(organization).toMatchObject({
    slug: "birch-co",
    plan: "none",
    domains: ["birch.example"],
    contractStartedAt: null,
  });
  expect(owner).toMatchObject({ email: "boss@birch.example", status: "pending", invitation: { state: "pending" } });
  expect(members).toHaveLength(1);
});

test("technicians read everything, write notes and review people who have written, and change nothing", async () => {
  const { technician, id } = await organizationAndStaff();
  const { tokens, mayDelete } = await pageOf(technician, id);
  expect(mayDelete).toBe(false);
  expect(
    Object.entries(tokens)
      .filter(([, token]) => token)
      .map(([intent]) => intent),
  ).toEqual(["note", "confirm_contact", "refuse_contact", "remove_address"]);
  expect((await thrownBy(edit(technician, id, { name: "Mine" }))).status).toBe(403);
  expect((await send(technician, id, "organization-note", { intent: "note", note: "Nice people" })).status).toBe(303);
});

test("a newer version is never overwritten unseen: both texts are shown, and only then one is chosen", async () => {
  const { ctx, base, id } = await organizationAndStaff();
  expect((await edit(ctx, id, { description: "Of a colleague", domains: "" })).headers.get("Location")).toBe(
    `/admin/organizations/${id}`,
  );
  expect(flash(base)).toBe("Success: Organization updated successfully");
  await edit(ctx, id, { description: "Of a colleague", domains: "", version: "2" });
  expect(flash(base)).toBe("Nothing changed: The organization was like that already.");
  const late = await edit(ctx, id, {
    name: "Mine",
    description: "Typed for long",
    domains: "oak.example\nash.example",
  });
  expect(late.status).toBe(409);
  expect(await late.json()).toMatchObject({
    title: "This organization changed while you were working",
    isConflict: true,
    values: { name: "Mine", description: "Typed for long", domains: "oak.example\nash.example" },
  });
  expect(await findDetails(ctx.db, id)).toMatchObject({ name: "Oak Dental", description: "Of a colleague" });
});

test("a note about a client is edited by its author, deleted by an administrator, and found on its organization only", async () => {
  const { ctx, technician, actor, id } = await organizationAndStaff();
  const written = await send(technician, id, "organization-note", { intent: "note", note: "Nice people" });
  const noteId = written.headers.get("Location")?.split("#")[1] ?? "";
  const other = await newOrganization(ctx, actor);
  const open = (context: TestContext, of: string) => note.open(context, `${LIST}/${of}/notes/${noteId}`);
  expect((await (await open(technician, id)).json()).note.text).toBe("Nice people");
  expect((await thrownBy(open(technician, other))).status).toBe(404);
  expect((await thrownBy(open(ctx, id))).status).toBe(404);
  const fields = { note: "Nicer people", version: "1" };
  const saved = await note.send(technician, `${LIST}/${id}/notes/${noteId}`, "note-edit", fields);
  expect(saved.headers.get("Location")).toBe(`/admin/organizations/${id}#${noteId}`);
  const { notes } = await pageOf(ctx, id);
  expect(notes.shown).toMatchObject([{ text: "Nicer people", edited: true, mayEdit: false, mayDelete: true }]);
});

test("an organization is deleted by its name, typed, and a proof of identity, and by nothing less", async () => {
  const { ctx, base, id, path } = await organizationAndStaff({ name: "Oak “One”" });
  await makeMember(base, id, await makePerson(base), "owner");
  const remove = (context: TestContext, fields: Fields) =>
    deletion.send(context, `${path}/delete`, "organization-delete", { version: "1", ...fields });
  const asked = await deletion.read(ctx, `${path}/delete`);
  expect(asked.organization).toMatchObject({ name: "Oak “One”", version: 1, members: 1, tickets: 0 });
  expect(asked.identity).toBeNull();
  const misspelled = await remove(ctx, { name: "oak one" });
  expect([misspelled.status, await misspelled.json()]).toMatchObject([
    400,
    { errors: { name: "Type the name exactly as it is shown" }, values: { name: "oak one" } },
  ]);
  base.clock.advance(minutes(11));
  const unproved = await remove(ctx, { name: "Oak “One”", current_password: "", code: "", method: "totp" });
  expect([unproved.status, await unproved.json()]).toMatchObject([
    400,
    { title: "Verification Required", errors: { current_password: expect.any(String) }, values: { name: "Oak “One”" } },
  ]);
  const fresh = withFreshProof(ctx);
  const changed = await remove(fresh, { name: "Oak “One”", version: "7" });
  expect([changed.status, await changed.json()]).toMatchObject([
    409,
    { title: "Failed to delete organization", errors: { form: "This organization changed while you were working." } },
  ]);
  expect(await findDetails(ctx.db, id)).not.toBeNull();

  const done = await remove(fresh, { name: " Oak  “One” " });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/organizations"]);
  expect(flash(base)).toBe("Success: Organization deleted successfully");
  expect((await thrownBy(pageOf(ctx, id))).status).toBe(404);
});

test("the page of an organization costs one round trip and few rows, however large the organization is", async () => {
  const { ctx, id } = await organizationAndStaff({ domains: ["large.example"] });
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, role, status, invited_email)
    SELECT 'mem_${id}' || i, 1, 1, '${id}', 'member', 'pending', i || '@large.example' FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO admin_notes(id, created_at, updated_at, subject_type, subject_id, admin_user_id, author_name, note)
    SELECT 'note_${id}' || i, i, i, 'organization', '${id}', 'usr_1', 'Ada', 'Note' FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO audit_events(at, actor_role, action, subject_type, subject_id, org_id)
    SELECT i, 'admin', 'organization.updated', 'organization', '${id}', '${id}' FROM n`);
  const { rows, trips } = await costOf(ctx, () => pageOf(ctx, id));
  expect(trips).toBe(1);
  expect(rows).toBeLessThanOrEqual(130);
  expect(
    await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.organization_id, id)),
  ).toHaveLength(1_000);
  const { notes } = await pageOf(ctx, id);
  const earlier = (await pageOf(ctx, id, `?until=${notes.earlier}`)).notes;
  expect([notes.shown.length, earlier.shown.length, earlier.isEarlier]).toEqual([20, 20, true]);
  expect(earlier.shown[0]?.createdAt).toBe(980);
});

test("the owner's invitation is sent again and revoked, and then another owner is invited", async () => {
  const { ctx, id } = await organizationAndStaff();
  const invited = await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "first@oak.example" });
  expect(invited.status).toBe(303);
  const again = await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "second@oak.example" });
  expect([again.status, await again.json()]).toMatchObject([
    400,
    { errors: { owner_email: "Failed to invite member" } },
  ]);
  expect((await send(ctx, id, "organization-owner-resend", { intent: "resend" })).status).toBe(303);
  expect((await send(ctx, id, "organization-owner-revoke", { intent: "revoke" })).status).toBe(303);
  expect((await pageOf(ctx, id)).owner).toBeNull();
  expect((await thrownBy(send(ctx, id, "organization-owner-revoke", { intent: "revoke" }))).status).toBe(404);
  await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "second@oak.example" });
  expect((await pageOf(ctx, id)).owner).toMatchObject({ email: "second@oak.example" });
});

test("when the mail to the owner fails, its link is shown once, to an administrator who asks for it", async () => {
  const { ctx, base, technician, id } = await organizationAndStaff();
  const link = (context: TestContext) => send(context, id, "organization-owner-link", { intent: "link" });
  base.outcomes.push({ kind: "permanent", reason: "http_422" });
  await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "boss@fails.example" });
  await base.settle();
  expect((await pageOf(ctx, id)).owner?.invitation).toMatchObject({
    mail: "dead",
    failure: "the mail service did not accept it (http_422)",
  });
  expect((await thrownBy(link(technician))).status).toBe(403);
  const shown = await link(ctx);
  const { intent, values } = await shown.json();
  expect([shown.status, intent]).toEqual([200, "link"]);
  expect(values.url).toMatch(/^http:\/\/localhost:8787\/invite\?token=[\w-]{43}$/);
  expect(JSON.stringify(await pageOf(ctx, id))).not.toContain("/invite");
  const [event] = await ctx.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, id), eq(auditEvents.action, "organization.invitation_link_made")));
  expect(event?.meta).not.toContain("token");
  // No mail of the new link can have failed.
  expect((await thrownBy(link(ctx))).status).toBe(404);
});

test("whoever has created an organization and waits for its review is shown so, without buttons of an invitation", async () => {
  const { ctx, base, id } = await organizationAndStaff();
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  const creator = await makePerson(base, { fullName: "Jo Field" });
  await makeMember(base, id, creator, "owner", "pending");
  const { owner } = await pageOf(ctx, id);
  expect(owner).toMatchObject({ name: "Jo Field", status: "pending", invitation: null });
  expect(owner && waitsForReview(owner)).toBe(true);
  await send(ctx, id, "organization-review", { intent: "review" });
  await base.settle();
  expect((await pageOf(ctx, id)).owner).toMatchObject({ status: "active" });
  expect(base.sent.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([`${creator.email}: Oak Dental is open`]);
});

async function client() {
  const { ctx, base, id } = await organizationAndStaff({ name: "Oak Dental" });
  const dana = await makePerson(base, { fullName: "Dana Whitlock" });
  await makeMember(base, id, dana, "member");
  return { ctx, base, id, dana };
}

test("what is open of a client comes by what is due first, with what it waits for, and nothing closed", async () => {
  const { ctx, base, id, dana } = await client();
  const of = (status: "open" | "waiting_for_customer" | "closed", title: string) =>
    makeTicket(base, { organizationId: id, createdBy: dana, status, title });
  await of("waiting_for_customer", "License ends");
  const { id: open } = await of("open", "No sound");
  await of("closed", "Old printer");
  await ctx.db.run(sql`UPDATE support_tickets SET due_at = ${ctx.now() - 60_000} WHERE id = ${open}`);
  const { tickets } = await pageOf(ctx, id);
  expect(tickets).toMatchObject({ late: { count: 1, isMore: false }, waiting: 1 });
  expect(tickets?.shown.map(({ title, waitsFor, due }) => [title, waitsFor, due?.isLate ?? null])).toEqual([
    ["No sound", "our reply", true],
    ["License ends", "an answer of Dana Whitlock", false],
  ]);
});

test("a client with hundreds of closed tickets costs no more rows than one with a few", async () => {
  const { ctx, base, id, dana } = await client();
  const costWith = async (closed: number) => {
    await together(base, async (all) => {
      for (let count = 0; count < closed; count += 1)
        await makeTicket(all, { organizationId: id, createdBy: dana, status: "closed", title: "Old" });
    });
    return costOf(ctx, () => pageOf(ctx, id));
  };
  const few = await costWith(3);
  const many = await costWith(60);
  expect(many.trips).toBeLessThanOrEqual(2);
  expect(many.rows).toBeLessThanOrEqual(few.rows + 20);
});

test("people are shown with phone and last sign-in, and the ticket of one can be called", async () => {
  const { ctx, base, id, dana } = await client();
  await ctx.db.update(users).set({ phone: "(555) 555-0161" }).where(eq(users.id, dana.id));
  await makeSession(base, dana);
  const { members } = await pageOf(ctx, id);
  expect(members.find(({ name }) => name === "Dana Whitlock")).toMatchObject({
    phone: "(555) 555-0161",
    signedInAt: base.now(),
  });
  const { number } = await makeTicket(base, { organizationId: id, createdBy: dana, status: "open", title: "No sound" });
  expect((await ticketPage.read(ctx, `/admin/tickets/T-${number}`)).about.creatorPhone).toBe("(555) 555-0161");
});

test("the form that changes a client is shown only to who asks for it", async () => {
  const { ctx, id } = await client();
  expect((await pageOf(ctx, id)).isEditing).toBe(false);
  expect((await pageOf(ctx, id, "?edit=1")).isEditing).toBe(true);
});

/** Has an organization of two, whose owner an administrator may replace. */
async function owned() {
  const { base, ctx } = await staffMember();
  const { id } = await makeOrganization(base);
  const owner = await makePerson(base, { fullName: "Dana Whitlock" });
  const next = await makePerson(base, { fullName: "Sam Ortega" });
  const ids = {
    owner: (await makeMember(base, id, owner, "owner")).id,
    next: (await makeMember(base, id, next, "member")).id,
  };
  const path = `${LIST}/${id}/transfer`;
  const open = (by = ctx) => transfer.read(by, path);
  const pass = (fields: Fields, by = ctx) => transfer.send(by, path, "organization-ownership", fields);
  const rolesOf = async () => {
    const { organization_id: of } = organizationMemberships;
    const rows = await base.db.select().from(organizationMemberships).where(eq(of, id));
    return Object.fromEntries(rows.map((row) => [row.id, `${row.role}, ${row.status}`]));
  };
  return { base, ctx, id, ids, path, open, pass, rolesOf };
}

test("an administrator passes ownership on with a reason, which the history has", async () => {
  const { base, ctx, id, ids, open, pass, rolesOf } = await owned();
  const { ownerName, candidates, identity } = await open();
  expect([ownerName, candidates.map(({ name }) => name), identity]).toEqual(["Dana Whitlock", ["Sam Ortega"], null]);
  const answer = await pass({ membership_id: ids.next, reason: " The owner left the clinic " });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/admin/organizations/${id}`]);
  expect(flash(base)).toBe("Success: Sam Ortega owns the organization now.");
  expect(await rolesOf()).toEqual({ [ids.owner]: "admin, active", [ids.next]: "owner, active" });
  const isTransfer = eq(auditEvents.action, "organization.ownership_transferred");
  const [event] = await base.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, id), isTransfer));
  expect(JSON.parse(event?.meta ?? "{}")).toMatchObject({ reason: "The owner left the clinic" });
  const { history } = await pageOf(ctx, id);
  expect(history[0]?.details).toContain("The owner left the clinic");
});

test.each([
  [{ membership_id: "", reason: "Left" }, { membership_id: "Choose the new owner" }],
  [{ membership_id: "mem_missing", reason: "  " }, { reason: "Say why." }],
  [{ membership_id: "mem_missing", reason: "Left" }, { membership_id: "This person is not a member any more." }],
  [{ form_token: "forged", membership_id: "mem_missing", reason: "Left" }, { form: expect.any(String) }],
])("%j is rejected, and nothing changes", async (fields, errors) => {
  const { ids, pass, rolesOf } = await owned();
  const answer = await pass(fields as Record<string, string>);
  expect([answer.status, (await answer.json()).errors]).toMatchObject([400, errors]);
  expect(await rolesOf()).toEqual({ [ids.owner]: "owner, active", [ids.next]: "member, active" });
});

test("a membership of another organization is answered like one that does not exist", async () => {
  const { base, pass } = await owned();
  const other = await makeOrganization(base, "Harbor House");
  const foreign = await makeMember(base, other.id, await makePerson(base), "member");
  const answers = [foreign.id, "mem_missing"].map(async (membership_id) =>
    (await pass({ membership_id, reason: "Left" })).json(),
  );
  const [one, missing] = await Promise.all(answers);
  expect(one?.errors).toEqual(missing?.errors);
});

test("ten minutes after the last proof the form asks for one, and keeps what was typed", async () => {
  const { base, ctx, ids, open, pass } = await owned();
  base.clock.advance(minutes(11));
  expect((await open()).identity).toMatchObject({ mfaEnabled: true });
  const typed = { membership_id: ids.next, reason: "Left" };
  const answer = await pass({ ...typed, current_password: "", code: "", method: "totp" });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { title: "Verification Required", errors: { current_password: expect.any(String) }, values: typed },
  ]);
  expect((await pass(typed, withFreshProof(ctx))).status).toBe(303);
});

test("suspended, invited and deactivated people are not offered; an owner who is only invited stands in the way", async () => {
  const { base, ctx, id, open } = await owned();
  await makeMember(base, id, await makePerson(base), "admin", "suspended");
  await makeMember(base, id, await makePerson(base, { status: "deactivated" }), "admin");
  await makeInvitedMember(base, id, { email: "soon@clinic.example" });
  expect((await open()).candidates.map(({ name }) => name)).toEqual(["Sam Ortega"]);
  const unowned = await makeOrganization(base, "Ash Clinic");
  await makeInvitedMember(base, unowned.id, { email: "boss@clinic.example", role: "owner" });
  expect((await transfer.read(ctx, `${LIST}/${unowned.id}/transfer`)).obstacle).toBe(
    "The owner's invitation is still open. Revoke it first.",
  );
});

test("technicians do not see the way there", async () => {
  const { ctx, id, path } = await owned();
  const { ctx: technician } = await staffMember("moderator");
  expect([(await pageOf(ctx, id)).transferTo, (await pageOf(technician, id)).transferTo]).toEqual([path, null]);
  expect((await thrownBy(transfer.open(ctx, `${LIST}/org_missing/transfer`))).status).toBe(404);
});
