import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizationMemberships } from "~/db/schema/organizations";
import * as listRoute from "~/routes/_admin.admin.members._index";
import * as removalRoute from "~/routes/_admin.admin.members.$membershipId.remove";
import { flash, staffMember } from "../support/admin-area";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, together } from "../support/factories";
import { pageAt } from "../support/page";
import type { Fields } from "../support/requests";

type Staff = Awaited<ReturnType<typeof staffMember>>;

/** Creates an organization of three: its owner, a member, and an address that is invited. */
async function team({ ctx }: Staff, name = "Žofia Clinic") {
  const organization = await makeOrganization(ctx, name);
  const owner = await makePerson(ctx, { fullName: "Dana Whitlock" });
  const member = await makePerson(ctx, { fullName: "Renée Größe" });
  return {
    organization,
    member,
    owner: await makeMember(ctx, organization.id, owner, "owner"),
    membership: await makeMember(ctx, organization.id, member, "member"),
    invited: await makeInvitedMember(ctx, organization.id, { email: `next-${organization.id}@clinic.example` }),
  };
}

const LIST = "/admin/members";
const members = pageAt(LIST, listRoute);
const removal = pageAt(`${LIST}/:membershipId/remove`, removalRoute);

const open = async ({ ctx }: Staff, query: string) => {
  const { list } = await members.read(ctx, `${LIST}?${query}`);
  return list?.page.rows.map(({ name, role, status }) => `${name}: ${role}, ${status}`);
};

const stateOf = async ({ ctx }: Staff, { id }: { id: string }) => {
  const [row] = await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.id, id));
  return row && `${row.role}, ${row.status}`;
};

const statusOf = (work: Promise<Response>) => work.catch((error: Response) => error).then(({ status }) => status);

/** Sends the form of the rows, as a page with one row that can be set does. */
const save = ({ ctx }: Staff, { id }: { id: string }, fields: Fields) =>
  members.send(ctx, LIST, "members", { save: `0.${id}`, return_to: `${LIST}?role=member`, ...fields });
const remove = ({ ctx }: Staff, path: string) => removal.send(ctx, path, "member-removal");

test("memberships are found by person, address and organization, and filtered by organization, role and status", async () => {
  const staff = await staffMember();
  const { organization, invited } = await team(staff, "Łąka Clinic");
  await team(staff, "Harbor House");
  const here = `organization=${organization.id}`;
  expect(await open(staff, `${here}&q=renee`)).toEqual(["Renée Größe: member, active"]);
  expect(await open(staff, `${here}&role=owner`)).toEqual(["Dana Whitlock: owner, active"]);
  expect(await open(staff, `${here}&status=pending`)).toEqual([
    `next-${organization.id}@clinic.example: member, pending`,
  ]);
  expect(await open(staff, "q=laka")).toHaveLength(3);
  expect(await open(staff, `q=next-${organization.id}@`)).toHaveLength(1);
  expect(await open(staff, "organization=org_missing")).toEqual([]);
  expect(invited.id).toMatch(/^mem_/);
});

test("role and status of a row are saved, and lead back to the row", async () => {
  const staff = await staffMember();
  const { membership } = await team(staff);
  const saved = await save(staff, membership, { intent: "role", role: "admin" });
  expect(saved.headers.get("Location")).toBe(`/admin/members?role=member#${membership.id}`);
  expect(flash(staff.base)).toBe("Success: Membership updated successfully");
  await save(staff, membership, { intent: "status", status: "suspended" });
  expect(await stateOf(staff, membership)).toBe("admin, suspended");
  await save(staff, membership, { intent: "status", status: "suspended" });
  expect(flash(staff.base)).toBe("Nothing changed: It was Suspended already.");
});

test("the role of an invitation is saved, and is that of the membership which comes of it; its status stays", async () => {
  const staff = await staffMember();
  const { invited } = await team(staff);
  await save(staff, invited, { intent: "role", role: "admin" });
  expect(flash(staff.base)).toBe("Success: Membership updated successfully");
  expect(await stateOf(staff, invited)).toBe("admin, pending");
  await save(staff, invited, { intent: "role", role: "admin" });
  expect(flash(staff.base)).toBe("Nothing changed: It was Admin already.");
  expect(await statusOf(save(staff, invited, { intent: "status", status: "active" }))).toBe(400);
  await staff.ctx.db
    .update(organizationMemberships)
    .set({ role: "owner" })
    .where(eq(organizationMemberships.id, invited.id));
  await save(staff, invited, { intent: "role", role: "member" });
  expect(await stateOf(staff, invited)).toBe("owner, pending");
});

test.each<Record<string, string>>([
  { intent: "role", role: "owner" },
  { intent: "status", status: "pending" },
  { intent: "role", role: "" },
])("a hand-made post of %j changes nothing", async (fields) => {
  const staff = await staffMember();
  const { membership } = await team(staff);
  const rejected = await save(staff, membership, fields);
  expect([rejected.status, await rejected.json()]).toEqual([400, { rejection: "Failed to update membership" }]);
  expect(await stateOf(staff, membership)).toBe("member, active");
});

test("a hand-made post about the owner is rejected with the reason, in the row and on the page of the removal", async () => {
  const staff = await staffMember();
  const { owner } = await team(staff);
  const rejected = await save(staff, owner, { intent: "role", role: "member" });
  expect(await rejected.json()).toEqual({ rejection: "The owner can't be changed. Transfer ownership first." });
  const path = `${LIST}/${owner.id}/remove`;
  expect(await statusOf(removal.open(staff.ctx, path))).toBe(404);
  await remove(staff, path);
  expect(flash(staff.base)).toBe("Error: The owner can't be changed. Transfer ownership first.");
  expect(await stateOf(staff, owner)).toBe("owner, active");
});

test("a member is removed once it is confirmed, and the list is as it was filtered", async () => {
  const staff = await staffMember();
  const { membership, organization } = await team(staff);
  const path = `/admin/members/${membership.id}/remove?organization=${organization.id}`;
  const { question } = await removal.read(staff.ctx, path);
  expect(question).toBe(
    "Remove Renée Größe from Žofia Clinic? They'll lose access to its tickets. Their account stays.",
  );
  expect((await remove(staff, path)).headers.get("Location")).toBe(`/admin/members?organization=${organization.id}`);
  expect(flash(staff.base)).toBe("Success: Membership removed successfully");
  expect(await stateOf(staff, membership)).toBeUndefined();
  await remove(staff, path);
  expect(flash(staff.base)).toBe("Error: Failed to remove membership");
});

test("technicians see the list, and are offered no change", async () => {
  const { ctx } = await staffMember("moderator");
  expect(await members.read(ctx)).toMatchObject({ mayChange: false, mayExport: false });
});

test("an invitation is sent again or taken back from its row, by who may invite, and not twice", async () => {
  const staff = await staffMember();
  const { invited } = await team(staff);
  const press = (who: Staff, intent: string) => save(who, invited, { intent, id: invited.id });
  expect(await statusOf(press(await staffMember("moderator"), "revoke"))).toBe(403);
  expect((await press(staff, "resend")).headers.get("Location")).toBe("/admin/members?role=member");
  expect(flash(staff.base)).toMatch(/^Success: A new invitation to next-.* is on its way\./);
  await press(staff, "revoke");
  expect(flash(staff.base)).toMatch(/^Success: The invitation of next-.* was revoked\.$/);
  expect(await stateOf(staff, invited)).toBeUndefined();
  expect(await statusOf(press(staff, "resend"))).toBe(404);
});

test("the filter offers organizations that are not among the rows, and keeps the chosen one however many there are", async () => {
  const staff = await staffMember();
  await team(staff);
  const chosen = await makeOrganization(staff.ctx, "Zzyzx Labs");
  await together(staff.base, async (all) => {
    for (let index = 0; index < 60; index += 1) await makeOrganization(all, `Aaron ${index}`);
  });
  const offered = async (query: string) => {
    const data = await members.read(staff.ctx, `${LIST}?${query}`);
    return { names: data.organizations.choices.map(({ name }) => name), isMore: data.organizations.isMore };
  };
  const { names, isMore } = await offered("q=zofia");
  expect(names).toContain("Aaron 0");
  expect([names.length, isMore]).toEqual([15, true]);
  expect((await offered(`organization=${chosen.id}`)).names).toContain("Zzyzx Labs");
});
