import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships as m } from "~/db/schema/organizations";
import { leaveOrganization, removeMember, suspendMember, transferOwnership } from "~/features/members/commands.server";
import { fail, ok } from "~/lib/errors";
import { makeStaffedOrganization, type StaffedOrganization } from "../../support/client-team";
import { type TestContext, testContext } from "../../support/context";
import {
  as,
  makeInvitedMember,
  makeMember,
  makeOrganization,
  makePerson,
  memberOf,
  type Person,
  signedInAs,
} from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

let ctx: TestContext;
let organization: StaffedOrganization["organization"];
let owner: StaffedOrganization["owner"];
let lead: StaffedOrganization["lead"];
let ids: StaffedOrganization["ids"];

beforeEach(async () => {
  ctx = testContext();
  ({ organization, owner, lead, ids } = await makeStaffedOrganization(ctx));
});

const to = (membershipId: string) => ({ membershipId, organizationId: organization.id });
const CHANGED = ok({ changed: true });
const asMember = (person: Person, role: "owner" | "admin" | "member" = "admin") =>
  [as(ctx, person), memberOf(ctx, person, organization, role)] as const;
const asOwner = () => asMember(owner, "owner");
const asStaff = async (role: "admin" | "moderator") => {
  const person = await makePerson(ctx, { role });
  return [as(ctx, person), signedInAs(person, ctx.now())] as const;
};
const ownersOf = async () => {
  const rows = await ctx.db
    .select({ id: m.id })
    .from(m)
    .where(and(eq(m.organization_id, organization.id), eq(m.role, "owner")));
  return rows.map(({ id }) => id);
};
const transfers = () =>
  ctx.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, organization.id), eq(auditEvents.action, "organization.ownership_transferred")));

test("the owner passes ownership to an active member, becomes an admin, and both are told", async () => {
  expect(await transferOwnership(...asOwner(), to(ids.lead))).toEqual(CHANGED);
  expect(await ownersOf()).toEqual([ids.lead]);
  const [former] = await ctx.db.select({ role: m.role }).from(m).where(eq(m.id, ids.owner));
  expect(former?.role).toBe("admin");
  await ctx.settle();
  expect(ctx.sent.map(({ to: address, subject }) => `${address}: ${subject}`).sort()).toEqual(
    [`${owner.email}: You no longer own Larkspur Row`, `${lead.email}: You own Larkspur Row now`].sort(),
  );
  expect((await transfers()).map(({ meta }) => JSON.parse(meta ?? "{}"))).toEqual([
    { organization: "Larkspur Row", former_owner: "Dana Whitlock" },
  ]);
});

test("a platform admin passes ownership on, and gives an organization without an owner one", async () => {
  const admin = await asStaff("admin");
  const anywhere = (membershipId: string) => ({ membershipId, organizationId: null });
  expect(await transferOwnership(...admin, anywhere(ids.lead))).toEqual(CHANGED);
  await ctx.db.delete(m).where(eq(m.id, ids.lead));
  expect(await transferOwnership(...admin, anywhere(ids.owner))).toEqual(CHANGED);
  expect(await ownersOf()).toEqual([ids.owner]);
});

test("nobody else transfers ownership: admins of the organization, members, technicians, the owner of another one", async () => {
  const stranger = await makePerson(ctx);
  const other = await makeOrganization(ctx, "Harbor House");
  await makeMember(ctx, other.id, stranger, "owner");
  const foreign = [as(ctx, stranger), memberOf(ctx, stranger, other, "owner")] as const;
  for (const by of [asMember(lead), asMember(lead, "member"), await asStaff("moderator"), foreign])
    expect(await transferOwnership(...by, to(ids.lead))).toEqual(fail("not_found"));
  expect(await ownersOf()).toEqual([ids.owner]);
});

test("a suspended, an invited and a deactivated person cannot become the owner", async () => {
  const suspended = await makeMember(ctx, organization.id, await makePerson(ctx), "member", "suspended");
  const invited = await makeInvitedMember(ctx, organization.id, { email: "next@clinic.example" });
  const gone = await makePerson(ctx, { status: "deactivated" });
  const deactivated = await makeMember(ctx, organization.id, gone, "member");
  expect(await transferOwnership(...asOwner(), to(suspended.id))).toEqual(fail("inactive"));
  expect(await transferOwnership(...asOwner(), to(deactivated.id))).toEqual(fail("inactive"));
  expect(await transferOwnership(...asOwner(), to(invited.id))).toEqual(fail("not_found"));
  expect(await ownersOf()).toEqual([ids.owner]);
});

test("while the invited owner has not accepted, nobody else becomes the owner", async () => {
  await ctx.db.delete(m).where(eq(m.id, ids.owner));
  await makeInvitedMember(ctx, organization.id, { email: "owner@clinic.example", role: "owner" });
  expect(await transferOwnership(...(await asStaff("admin")), to(ids.lead))).toEqual(fail("owner_invited"));
});

test("twenty transfers to different members at once: one succeeds, and there is one owner", async () => {
  const targets = await Promise.all(
    Array.from({ length: 20 }, async () => makeMember(ctx, organization.id, await makePerson(ctx), "member")),
  );
  const results = await Promise.all(targets.map(({ id }) => transferOwnership(...asOwner(), to(id))));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(await ownersOf()).toHaveLength(1);
  expect(await transfers()).toHaveLength(1);
});

test.each([
  ["removal", removeMember],
  ["suspension", suspendMember],
] as const)("of a transfer and the %s of the new owner at once, exactly one succeeds", async (_, command) => {
  const other = await makePerson(ctx);
  await makeMember(ctx, organization.id, other, "admin");
  for (const order of [0, 1]) {
    const { id } = await makeMember(ctx, organization.id, await makePerson(ctx), "member");
    const owners = await ownersOf();
    const transfer = () => transferOwnership(...asOwner(), to(id));
    const end = () => command(...asMember(other), to(id));
    const results = await Promise.all(order === 0 ? [transfer(), end()] : [end(), transfer()]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await ownersOf()).toHaveLength(1);
    if ((await ownersOf())[0] !== owners[0]) {
      await ctx.db.delete(m).where(eq(m.id, id));
      await ctx.db.update(m).set({ role: "owner" }).where(eq(m.id, ids.owner));
    }
  }
});

test("a transfer between the read and the write of a removal keeps the new owner", async () => {
  const removal = interruptedBeforeCommit(as(ctx, owner), () => transferOwnership(...asOwner(), to(ids.lead)));
  expect(await removeMember(removal, asOwner()[1], to(ids.lead))).toEqual(fail("owner"));
  expect(await ownersOf()).toEqual([ids.lead]);
});

test("a removal or deactivation between the read and the write of a transfer leaves the owner as it was", async () => {
  const [own, actor] = asOwner();
  const removed = interruptedBeforeCommit(own, () => ctx.db.delete(m).where(eq(m.id, ids.lead)));
  expect(await transferOwnership(removed, actor, to(ids.lead))).toEqual(fail("not_found"));
  const { id } = await makeMember(ctx, organization.id, lead, "member");
  const deactivated = interruptedBeforeCommit(own, () =>
    ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, lead.id)),
  );
  expect(await transferOwnership(deactivated, actor, to(id))).toEqual(fail("inactive"));
  expect(await ownersOf()).toEqual([ids.owner]);
});

test("of leaving and becoming the owner at once, exactly one happens", async () => {
  const results = await Promise.all([
    leaveOrganization(...asMember(lead)),
    transferOwnership(...asOwner(), to(ids.lead)),
  ]);
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(await ownersOf()).toHaveLength(1);
});
