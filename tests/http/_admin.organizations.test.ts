import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { findDetails } from "~/features/organization-management/queries.server";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as list } from "~/routes/_admin.admin.organizations._index";
import { action, loader } from "~/routes/_admin.admin.organizations.$organizationId";
import * as deletion from "~/routes/_admin.admin.organizations.$organizationId_.delete";
import {
  action as editNote,
  loader as noteLoader,
} from "~/routes/_admin.admin.organizations.$organizationId_.notes.$noteId";
import { action as create } from "~/routes/_admin.admin.organizations.new";
import { flash, staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makeMember, makePerson } from "../support/factories";
import { newOrganization, organizationAndStaff } from "../support/organizations";
import { args, get, post, thrownBy } from "../support/requests";

const pageOf = async (ctx: TestContext, id: string, query = "") =>
  (await loader(args(ctx, get(`/admin/organizations/${id}${query}`), { organizationId: id }))).json();

const send = (ctx: TestContext, id: string, purpose: string, fields: Record<string, string>) => {
  const form_token = issueFormToken(ctx, purpose);
  return action(args(ctx, post(`/admin/organizations/${id}`, { form_token, ...fields }), { organizationId: id }));
};

const edit = (ctx: TestContext, id: string, fields: Record<string, string>) =>
  send(ctx, id, "organization-edit", { intent: "edit", name: "Oak Dental", plan: "core", version: "1", ...fields });

test("organizations are found by any letters of their name, address and description", async () => {
  const { ctx } = await organizationAndStaff({ name: "Zubrowka Optik", description: "Ćma i świeca" });
  const find = async (q: string) => {
    const { list: read, filter } = await (await list(args(ctx, get(`/admin/organizations?q=${q}`)))).json();
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
  const form_token = issueFormToken(ctx, "organization-new");
  const fields: Record<string, string> = { name: "Rejected Ltd", description: "Kept", plan: "core", ...changes };
  const response = await create(args(ctx, post("/admin/organizations/new", { form_token, ...fields })));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ title: "Failed to create organization", errors, values: fields });
  expect(await ctx.db.select().from(organizations).where(eq(organizations.name, "Rejected Ltd"))).toEqual([]);
});

test("a new organization leads to its page, where its owner is pending", async () => {
  const { ctx, base } = await staffMember();
  const form_token = issueFormToken(ctx, "organization-new");
  const fields = { name: "Birch & Co", plan: "", domains: "@Birch.example\r\n", owner_email: "Boss@Birch.example" };
  const response = await create(args(ctx, post("/admin/organizations/new", { form_token, ...fields })));
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
  expect((await thrownBy(deletion.loader(args(technician, get("/x"), { organizationId: id })))).status).toBe(403);
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
  const open = (context: TestContext, organizationId: string) =>
    noteLoader(args(context, get("/x"), { organizationId, noteId }));
  expect((await (await open(technician, id)).json()).note.text).toBe("Nice people");
  expect((await thrownBy(open(technician, other))).status).toBe(404);
  expect((await thrownBy(open(ctx, id))).status).toBe(404);
  const form_token = issueFormToken(technician, "note-edit");
  const path = `/admin/organizations/${id}/notes/${noteId}`;
  const saved = await editNote(
    args(technician, post(path, { form_token, note: "Nicer people", version: "1" }), { organizationId: id, noteId }),
  );
  expect(saved.headers.get("Location")).toBe(`/admin/organizations/${id}#${noteId}`);
  const { notes } = await pageOf(ctx, id);
  expect(notes.shown).toMatchObject([{ text: "Nicer people", edited: true, mayEdit: false, mayDelete: true }]);
});

test("an organization is deleted by its name, typed, and a proof of identity, and by nothing less", async () => {
  const { ctx, base, id, path } = await organizationAndStaff({ name: "Oak “One”" });
  await makeMember(base, id, await makePerson(base), "owner");
  const send = (context: TestContext, fields: Record<string, string>) => {
    const form_token = issueFormToken(context, "organization-delete");
    return deletion.action(
      args(context, post(`${path}/delete`, { form_token, version: "1", ...fields }), { organizationId: id }),
    );
  };
  const asked = await (await deletion.loader(args(ctx, get(`${path}/delete`), { organizationId: id }))).json();
  expect(asked.organization).toMatchObject({ name: "Oak “One”", version: 1, members: 1, tickets: 0 });
  expect(asked.identity).toBeNull();
  const misspelled = await send(ctx, { name: "oak one" });
  expect([misspelled.status, await misspelled.json()]).toMatchObject([
    400,
    { errors: { name: "Type the name exactly as it is shown" }, values: { name: "oak one" } },
  ]);
  base.clock.advance(minutes(11));
  const unproved = await send(ctx, { name: "Oak “One”", current_password: "", code: "", method: "totp" });
  expect([unproved.status, await unproved.json()]).toMatchObject([
    400,
    { title: "Verification Required", errors: { current_password: expect.any(String) }, values: { name: "Oak “One”" } },
  ]);
  const fresh = derive(ctx, { signedIn: ctx.signedIn && { ...ctx.signedIn, reauthAt: base.now() } });
  const changed = await send(fresh, { name: "Oak “One”", version: "7" });
  expect([changed.status, await changed.json()]).toMatchObject([
    409,
    { title: "Failed to delete organization", errors: { form: "This organization changed while you were working." } },
  ]);
  expect(await findDetails(ctx.db, id)).not.toBeNull();

  const done = await send(fresh, { name: " Oak  “One” " });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/admin/organizations"]);
  expect(flash(base)).toBe("Success: Organization deleted successfully");
  expect((await thrownBy(pageOf(ctx, id))).status).toBe(404);
});

test.each(["org_unknown", "", "' or 1=1 --"])("an organization with the id %j is not found", async (organizationId) => {
  const { ctx } = await staffMember();
  expect((await thrownBy(loader(args(ctx, get("/x"), { organizationId })))).status).toBe(404);
  expect((await thrownBy(deletion.loader(args(ctx, get("/x"), { organizationId })))).status).toBe(404);
});

test("the page of an organization costs one round trip and few rows, however large the organization is", async () => {
  const { ctx, id } = await organizationAndStaff({ domains: ["large.example"] });
  const cost = async () => {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await pageOf(ctx, id);
    return { trips: ctx.cost.trips, rows: ctx.cost.rowsRead };
  };
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO organization_memberships(id, created_at, updated_at, organization_id, role, status, invited_email)
    SELECT 'mem_${id}' || i, 1, 1, '${id}', 'member', 'pending', i || '@large.example' FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO admin_notes(id, created_at, updated_at, subject_type, subject_id, admin_user_id, author_name, note)
    SELECT 'note_${id}' || i, i, i, 'organization', '${id}', 'usr_1', 'Ada', 'Note' FROM n`);
  await ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO audit_events(at, actor_role, action, subject_type, subject_id, org_id)
    SELECT i, 'admin', 'organization.updated', 'organization', '${id}', '${id}' FROM n`);
  const { rows, trips } = await cost();
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
