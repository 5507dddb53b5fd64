import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { userRoles } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships } from "~/db/schema/organizations";
import {
  changeMemberRole,
  leaveOrganization,
  reactivateMember,
  removeMember,
  suspendMember,
} from "~/features/members/commands.server";
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
let member: StaffedOrganization["member"];
let ids: StaffedOrganization["ids"];

beforeEach(async () => {
  ctx = testContext();
  ({ organization, owner, lead, member, ids } = await makeStaffedOrganization(ctx));
});

const here = (membershipId: string) => ({ membershipId, organizationId: organization.id });
const stateOf = async (id: string) => {
  const [row] = await ctx.db
    .select({ role: organizationMemberships.role, status: organizationMemberships.status })
    .from(organizationMemberships)
    .where(eq(organizationMemberships.id, id));
  return row ? `${row.role}, ${row.status}` : "gone";
};
const eventsAbout = (person: Person) =>
  ctx.db
    .select({
      action: auditEvents.action,
      org: auditEvents.org_id,
      actor: auditEvents.actor_name,
      meta: auditEvents.meta_json,
    })
    .from(auditEvents)
    .where(sql`subject_id = ${person.id} AND org_id IS NOT NULL`)
    .orderBy(auditEvents.id);
const mailsTo = (person: Person) => ctx.sent.filter(({ to }) => to === person.email).map(({ subject }) => subject);
const asLead = () => [as(ctx, lead), memberOf(ctx, lead, organization, "admin")] as const;

test("an admin of the organization changes role and status of a member, who is told by mail and disconnected", async () => {
  const [own, actor] = asLead();
  expect(await changeMemberRole(own, actor, { ...here(ids.member), role: "admin" })).toEqual({
    ok: true,
    value: { changed: true },
  });
  expect(await suspendMember(own, actor, here(ids.member))).toEqual({ ok: true, value: { changed: true } });
  expect(await stateOf(ids.member)).toBe("admin, suspended");
  expect(await reactivateMember(own, actor, here(ids.member))).toEqual({ ok: true, value: { changed: true } });
  expect(await removeMember(own, actor, here(ids.member))).toEqual({ ok: true, value: { changed: true } });
  expect(await stateOf(ids.member)).toBe("gone");
  await ctx.settle();
  expect(mailsTo(member).sort()).toEqual([
    "You are an admin of Larkspur Row now",
    "You have access to Larkspur Row again",
    "You were removed from Larkspur Row",
    "Your access to Larkspur Row was suspended",
  ]);
  const events = await eventsAbout(member);
  expect(events.map(({ action }) => action)).toEqual([
    "organization.member_role_changed",
    "organization.member_suspended",
    "organization.member_reactivated",
    "organization.member_removed",
  ]);
  expect(new Set(events.map(({ org, actor: name }) => `${name} in ${org}`))).toEqual(
    new Set([`Sam Ortega in ${organization.id}`]),
  );
  expect(JSON.parse(events[0]?.meta ?? "{}")).toEqual({ organization: "Larkspur Row", from: "member", to: "admin" });
  // The last one too, although no membership names the organization any more.
  const closed = ctx.disconnected.filter(({ audience }) => audience === organizationAudience(organization.id));
  expect(closed).toHaveLength(4);
});

test("staff change members of every organization", async () => {
  const admin = await makePerson(ctx, { role: "admin" });
  const result = await changeMemberRole(as(ctx, admin), signedInAs(admin, ctx.now()), {
    membershipId: ids.lead,
    organizationId: null,
    role: "member",
  });
  expect(result).toEqual({ ok: true, value: { changed: true } });
});

test("what is already so is not changed again, and leaves no trace", async () => {
  const [own, actor] = asLead();
  expect(await changeMemberRole(own, actor, { ...here(ids.member), role: "member" })).toEqual({
    ok: true,
    value: { changed: false },
  });
  expect(await reactivateMember(own, actor, here(ids.member))).toEqual({ ok: true, value: { changed: false } });
  expect(await eventsAbout(member)).toEqual([]);
});

const COMMANDS = [
  [
    "role",
    (own: TestContext, actor: Parameters<typeof removeMember>[1], target: ReturnType<typeof here>) =>
      changeMemberRole(own, actor, { ...target, role: "member" }),
  ],
  ["suspension", suspendMember],
  ["reactivation", reactivateMember],
  ["removal", removeMember],
] as const;

test.each(COMMANDS)("the %s of the owner is rejected, for staff too", async (_, command) => {
  const [own, actor] = asLead();
  const admin = await makePerson(ctx, { role: "admin" });
  expect(await command(own, actor, here(ids.owner))).toEqual({ ok: false, code: "owner" });
  expect(await command(as(ctx, admin), signedInAs(admin, ctx.now()), here(ids.owner))).toEqual({
    ok: false,
    code: "owner",
  });
  expect(await stateOf(ids.owner)).toBe("owner, active");
});

test.each(COMMANDS)("nobody changes the %s of their own membership", async (_, command) => {
  const [own, actor] = asLead();
  expect(await command(own, actor, here(ids.lead))).toEqual({ ok: false, code: "own" });
  expect(await stateOf(ids.lead)).toBe("admin, active");
});

test.each(
  COMMANDS,
)("the %s of a missing, a foreign and an invited membership are rejected in the same way", async (_, command) => {
  const [own, actor] = asLead();
  const other = await makeOrganization(ctx, "Harbor House");
  const stranger = await makePerson(ctx);
  const foreign = await makeMember(ctx, other.id, stranger, "member");
  const invited = await makeInvitedMember(ctx, organization.id, { email: "new@clinic.example" });
  const missing = { ok: false, code: "not_found" };
  expect(await command(own, actor, here("mem_missing"))).toEqual(missing);
  expect(await command(own, actor, here(foreign.id))).toEqual(missing);
  // Even where the caller forgets to say in which organization.
  expect(await command(own, actor, { membershipId: foreign.id, organizationId: null as unknown as string })).toEqual(
    missing,
  );
  expect(await command(own, actor, here(invited.id))).toEqual(missing);
  expect(await stateOf(foreign.id)).toBe("member, active");
});

test.each(COMMANDS)("the %s is denied to members and technicians", async (_, command) => {
  const technician = await makePerson(ctx, { role: "moderator" });
  const target = await makePerson(ctx);
  const { id } = await makeMember(ctx, organization.id, target, "member");
  expect(await command(as(ctx, member), memberOf(ctx, member, organization, "member"), here(id))).toEqual({
    ok: false,
    code: "not_found",
  });
  expect(await command(as(ctx, technician), signedInAs(technician, ctx.now()), here(id))).toEqual({
    ok: false,
    code: "not_found",
  });
});

test("twenty changes of one role at once: exactly one is made, and one event recorded", async () => {
  const [own, actor] = asLead();
  const change = () => changeMemberRole(own, actor, { ...here(ids.member), role: "admin" as const });
  const results = await Promise.all(Array.from({ length: 20 }, change));
  expect(results.filter((result) => result.ok && result.value.changed)).toHaveLength(1);
  expect(results.filter(({ ok }) => ok)).toHaveLength(20);
  expect(await eventsAbout(member)).toHaveLength(1);
});

test("twenty removals at once: exactly one removes", async () => {
  const [own, actor] = asLead();
  const results = await Promise.all(Array.from({ length: 20 }, () => removeMember(own, actor, here(ids.member))));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await eventsAbout(member)).toHaveLength(1);
});

test("of two admins who remove, suspend or demote each other at once, exactly one succeeds", async () => {
  const other = await makePerson(ctx, { fullName: "Robin Lee" });
  for (const [, command] of COMMANDS.filter(([name]) => name !== "reactivation")) {
    const { id } = await makeMember(ctx, organization.id, other, "admin");
    const results = await Promise.all([
      command(as(ctx, lead), memberOf(ctx, lead, organization, "admin"), here(id)),
      command(as(ctx, other), memberOf(ctx, other, organization, "admin"), here(ids.lead)),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, other.id));
    await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, lead.id));
    ids.lead = (await makeMember(ctx, organization.id, lead, "admin")).id;
  }
});

test.each(
  COMMANDS.filter(([name]) => name !== "reactivation"),
)("an actor who is suspended or loses the staff role meanwhile changes nothing: %s", async (_, command) => {
  await ctx.db.update(organizationMemberships).set({ role: "admin" }).where(eq(organizationMemberships.id, ids.member));
  const [own, actor] = asLead();
  const suspended = interruptedBeforeCommit(own, () =>
    ctx.db.update(organizationMemberships).set({ status: "suspended" }).where(eq(organizationMemberships.id, ids.lead)),
  );
  expect(await command(suspended, actor, here(ids.member))).toEqual({ ok: false, code: "changed" });
  const admin = await makePerson(ctx, { role: "admin" });
  const demoted = interruptedBeforeCommit(as(ctx, admin), () =>
    ctx.db.delete(userRoles).where(eq(userRoles.user_id, admin.id)),
  );
  expect(await command(demoted, signedInAs(admin, ctx.now()), here(ids.member))).toEqual({
    ok: false,
    code: "changed",
  });
  expect(await stateOf(ids.member)).toBe("admin, active");
  expect(await eventsAbout(member)).toEqual([]);
});

test("a member leaves and is disconnected; the owner cannot leave", async () => {
  expect(await leaveOrganization(as(ctx, member), memberOf(ctx, member, organization, "member"))).toEqual({
    ok: true,
    value: null,
  });
  expect(await stateOf(ids.member)).toBe("gone");
  await ctx.settle();
  expect(ctx.disconnected.map(({ audience }) => audience)).toContain(organizationAudience(organization.id));
  expect((await eventsAbout(member)).map(({ action }) => action)).toEqual(["organization.member_left"]);
  expect(await leaveOrganization(as(ctx, owner), memberOf(ctx, owner, organization, "owner"))).toEqual({
    ok: false,
    code: "owner",
  });
  expect(await stateOf(ids.owner)).toBe("owner, active");
});

test("an invited address is found until it is somebody's, who is then found by their name; the index holds what rows say", async () => {
  const found = (text: string) =>
    ctx.db.all(sql`SELECT m.id FROM membership_search s JOIN organization_memberships m ON m.number = s.rowid
      WHERE s.search_text MATCH ${`"${text}"`}`);
  const [invited, person] = [
    await makeInvitedMember(ctx, organization.id, { email: "early.bird@brightsmile.example" }),
    await makePerson(ctx, { fullName: "Quentin Varga" }),
  ];
  expect(await found("early.bird")).toEqual([{ id: invited.id }]);
  const set = { user_id: person.id, status: "active" as const, invited_email: null };
  await ctx.db.update(organizationMemberships).set(set).where(eq(organizationMemberships.id, invited.id));
  expect(await found("early.bird")).toEqual([]);
  expect(await found("quentin")).toEqual([{ id: invited.id }]);
  await ctx.db.run(sql`INSERT INTO membership_search(membership_search, rank) VALUES ('integrity-check', 1)`);
});
