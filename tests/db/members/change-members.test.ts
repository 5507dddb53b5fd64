import { eq, inArray, sql } from "drizzle-orm";
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
let team: StaffedOrganization;

beforeEach(async () => {
  ctx = testContext();
  team = await makeStaffedOrganization(ctx);
});

const CHANGED = ok({ changed: true });

const here = (membershipId: string) => ({ membershipId, organizationId: team.organization.id });
const stateOf = async (id: string) => {
  const [row] = await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.id, id));
  return row ? `${row.role}, ${row.status}` : "gone";
};
const eventsAbout = (person: Person) =>
  ctx.db
    .select()
    .from(auditEvents)
    .where(sql`subject_id = ${person.id} AND org_id IS NOT NULL`)
    .orderBy(auditEvents.id);
const asMember = (person: Person, role: "owner" | "admin" | "member") =>
  [as(ctx, person), memberOf(ctx, person, team.organization, role)] as const;
const asLead = () => asMember(team.lead, "admin");
const asStaff = async (role: "admin" | "moderator") => {
  const person = await makePerson(ctx, { role });
  return [as(ctx, person), signedInAs(person, ctx.now())] as const;
};

test("an admin of the organization changes role and status of a member, who is told by mail and disconnected", async () => {
  const { member, ids } = team;
  expect(await changeMemberRole(...asLead(), { ...here(ids.member), role: "admin" })).toEqual(CHANGED);
  expect(await suspendMember(...asLead(), here(ids.member))).toEqual(CHANGED);
  expect(await stateOf(ids.member)).toBe("admin, suspended");
  expect(await reactivateMember(...asLead(), here(ids.member))).toEqual(CHANGED);
  expect(await removeMember(...asLead(), here(ids.member))).toEqual(CHANGED);
  expect(await stateOf(ids.member)).toBe("gone");
  await ctx.settle();
  const mails = ctx.sent.filter(({ to }) => to === member.email).map(({ subject }) => subject);
  expect(mails.sort()).toEqual([
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
  expect(new Set(events.map(({ org_id, actor_name }) => `${actor_name} in ${org_id}`))).toEqual(
    new Set([`Sam Ortega in ${team.organization.id}`]),
  );
  const meta = JSON.parse(events[0]?.meta_json ?? "{}");
  expect(meta).toEqual({ organization: "Larkspur Row", from: "member", to: "admin" });
  // The last one too, although no membership names the organization any more.
  const closed = ctx.disconnected.filter(({ audience }) => audience === organizationAudience(team.organization.id));
  expect(closed).toHaveLength(4);
});

test("staff change members of every organization", async () => {
  const anywhere = { membershipId: team.ids.lead, organizationId: null, role: "member" } as const;
  expect(await changeMemberRole(...(await asStaff("admin")), anywhere)).toEqual(CHANGED);
});

test("what is already so is not changed again, and leaves no trace", async () => {
  const { member, ids } = team;
  const unchanged = ok({ changed: false });
  expect(await changeMemberRole(...asLead(), { ...here(ids.member), role: "member" })).toEqual(unchanged);
  expect(await reactivateMember(...asLead(), here(ids.member))).toEqual(unchanged);
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
  const { ids } = team;
  expect(await command(...asLead(), here(ids.owner))).toEqual(fail("owner"));
  expect(await command(...(await asStaff("admin")), here(ids.owner))).toEqual(fail("owner"));
  expect(await stateOf(ids.owner)).toBe("owner, active");
});

test.each(COMMANDS)("nobody changes the %s of their own membership", async (_, command) => {
  expect(await command(...asLead(), here(team.ids.lead))).toEqual(fail("own"));
  expect(await stateOf(team.ids.lead)).toBe("admin, active");
});

test.each(
  COMMANDS,
)("the %s of a missing, a foreign and an invited membership are rejected in the same way", async (_, command) => {
  const other = await makeOrganization(ctx, "Harbor House");
  const foreign = await makeMember(ctx, other.id, await makePerson(ctx), "member");
  const invited = await makeInvitedMember(ctx, team.organization.id, { email: "new@clinic.example" });
  for (const target of [
    here("mem_missing"),
    here(foreign.id),
    // Even where the caller forgets to say in which organization.
    { membershipId: foreign.id, organizationId: null as unknown as string },
    here(invited.id),
  ])
    expect(await command(...asLead(), target)).toEqual(fail("not_found"));
  expect(await stateOf(foreign.id)).toBe("member, active");
});

test.each(COMMANDS)("the %s is denied to members and technicians", async (_, command) => {
  const { id } = await makeMember(ctx, team.organization.id, await makePerson(ctx), "member");
  for (const by of [asMember(team.member, "member"), await asStaff("moderator")])
    expect(await command(...by, here(id))).toEqual(fail("not_found"));
});

test("twenty changes of one role at once: exactly one is made, and one event recorded", async () => {
  const change = () => changeMemberRole(...asLead(), { ...here(team.ids.member), role: "admin" as const });
  const results = await Promise.all(Array.from({ length: 20 }, change));
  expect(results.filter((result) => result.ok && result.value.changed)).toHaveLength(1);
  expect(results.filter((result) => result.ok)).toHaveLength(20);
  expect(await eventsAbout(team.member)).toHaveLength(1);
});

test("twenty removals at once: exactly one removes", async () => {
  const remove = () => removeMember(...asLead(), here(team.ids.member));
  const results = await Promise.all(Array.from({ length: 20 }, remove));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(await eventsAbout(team.member)).toHaveLength(1);
});

test("of two admins who remove, suspend or demote each other at once, exactly one succeeds", async () => {
  const { organization, lead } = team;
  const other = await makePerson(ctx, { fullName: "Robin Lee" });
  for (const [, command] of COMMANDS.filter(([name]) => name !== "reactivation")) {
    await ctx.db.delete(organizationMemberships).where(inArray(organizationMemberships.user_id, [other.id, lead.id]));
    const [one, two] = [
      await makeMember(ctx, organization.id, lead, "admin"),
      await makeMember(ctx, organization.id, other, "admin"),
    ];
    const results = await Promise.all([
      command(...asLead(), here(two.id)),
      command(...asMember(other, "admin"), here(one.id)),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  }
});

test.each(
  COMMANDS.filter(([name]) => name !== "reactivation"),
)("an actor who is suspended or loses the staff role meanwhile changes nothing: %s", async (_, command) => {
  const { member, ids } = team;
  await ctx.db.update(organizationMemberships).set({ role: "admin" }).where(eq(organizationMemberships.id, ids.member));
  const [own, actor] = asLead();
  const suspended = interruptedBeforeCommit(own, () =>
    ctx.db.update(organizationMemberships).set({ status: "suspended" }).where(eq(organizationMemberships.id, ids.lead)),
  );
  expect(await command(suspended, actor, here(ids.member))).toEqual(fail("changed"));
  const [adminCtx, admin] = await asStaff("admin");
  const demoted = interruptedBeforeCommit(adminCtx, () =>
    ctx.db.delete(userRoles).where(eq(userRoles.user_id, admin.userId)),
  );
  expect(await command(demoted, admin, here(ids.member))).toEqual(fail("changed"));
  expect(await stateOf(ids.member)).toBe("admin, active");
  expect(await eventsAbout(member)).toEqual([]);
});

test("a member leaves and is disconnected; the owner cannot leave", async () => {
  const { member, owner, organization, ids } = team;
  expect(await leaveOrganization(...asMember(member, "member"))).toEqual(ok(null));
  expect(await stateOf(ids.member)).toBe("gone");
  await ctx.settle();
  expect(ctx.disconnected.map(({ audience }) => audience)).toContain(organizationAudience(organization.id));
  expect((await eventsAbout(member)).map(({ action }) => action)).toEqual(["organization.member_left"]);
  expect(await leaveOrganization(...asMember(owner, "owner"))).toEqual(fail("owner"));
  expect(await stateOf(ids.owner)).toBe("owner, active");
});

test("an invited address is found until it is somebody's, who is then found by their name; the index holds what rows say", async () => {
  const found = (text: string) =>
    ctx.db.all(sql`SELECT m.id FROM membership_search s JOIN organization_memberships m ON m.number = s.rowid
      WHERE s.search_text MATCH ${`"${text}"`}`);
  const [invited, person] = [
    await makeInvitedMember(ctx, team.organization.id, { email: "early.bird@brightsmile.example" }),
    await makePerson(ctx, { fullName: "Quentin Varga" }),
  ];
  expect(await found("early.bird")).toEqual([{ id: invited.id }]);
  const set = { user_id: person.id, status: "active" as const, invited_email: null };
  await ctx.db.update(organizationMemberships).set(set).where(eq(organizationMemberships.id, invited.id));
  expect(await found("early.bird")).toEqual([]);
  expect(await found("quentin")).toEqual([{ id: invited.id }]);
  await ctx.db.run(sql`INSERT INTO membership_search(membership_search, rank) VALUES ('integrity-check', 1)`);
});
