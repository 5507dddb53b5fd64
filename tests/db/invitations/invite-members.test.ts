import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { notifications } from "~/db/schema/notifications";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/settings";
import { inviteMembers } from "~/features/invitations/sending/invite-members.server";
import { days, hours } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson } from "../../support/factories";
import {
  inviteTo,
  invitingTeam,
  makeTeam,
  memberOf,
  openLinks,
  pendingMembership,
  staff,
  type Team,
} from "../../support/invitations";
import { linkIn, mailsTo } from "../../support/mails";

let ctx: TestContext;
let team: Team;
let address: string;

beforeEach(async () => {
  ({ ctx, team, address } = await invitingTeam());
});

const outcomes = async (...emails: string[]) => (await inviteTo(ctx, team, ...emails)).map(({ outcome }) => outcome);

test("an invited address has a pending membership without a person, an audit event and a mail with both links", async () => {
  expect(await inviteTo(ctx, team, ` ${address.toUpperCase()} `)).toEqual([{ email: address, outcome: "invited" }]);
  expect(await pendingMembership(ctx, address)).toMatchObject({
    ...{ organization_id: team.organization.id, user_id: null, status: "pending", role: "member", joined_at: null },
    ...{ invited_by: team.owner.id, invited_at: ctx.now() },
  });
  const [mail] = await mailsTo(ctx, address);
  expect(mail?.subject).toBe(`You're invited to join ${team.organization.name}`);
  for (const part of [
    team.owner.fullName,
    team.organization.name,
    "Member",
    "until Wed, Nov 25",
    "Not me, remove this invitation",
  ]) {
    expect(mail?.text).toContain(part);
    expect(mail?.html).toContain(part);
  }
  expect(linkIn(mail, "/invite")).toMatch(/^\/invite\?token=[\w-]{43}$/);
  expect(mail?.text).toMatch(/\/invite\?token=[\w-]{43}&answer=no/);
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.org_id, team.organization.id));
  expect(event).toMatchObject({ action: "organization.member_invited", actor_id: team.owner.id });
});

test("of fifty pasted addresses the broken ones are rejected and twenty are invited today", async () => {
  const good = Array.from({ length: 47 }, (_, number) => `paste${number}.${address}`);
  const typed = [...good.slice(0, 3), "no address", "a@b", "two@@ats.example", ...good.slice(3)];
  const result = await inviteTo(ctx, team, ...typed);
  const count = (wanted: string) => result.filter(({ outcome }) => outcome === wanted).length;
  expect([count("invited"), count("invalid"), count("limited")]).toEqual([20, 3, 27]);
  expect(
    await ctx.db.$count(organizationMemberships, sql`organization_id = ${team.organization.id} and status = 'pending'`),
  ).toBe(20);
  ctx.clock.advance(days(1));
  expect(await outcomes(good[46] ?? "")).toEqual(["invited"]);
});

test("an address that occurs twice is invited once", async () => {
  expect(await outcomes(address, address.toUpperCase())).toEqual(["invited"]);
  expect(await mailsTo(ctx, address)).toHaveLength(1);
});

test("members, suspended members, oneself and open invitations are rejected", async () => {
  const [member, suspended] = [await makePerson(ctx), await makePerson(ctx)];
  await makeMember(ctx, team.organization.id, member, "member");
  await makeMember(ctx, team.organization.id, suspended, "member", "suspended");
  await outcomes(address);
  expect(await outcomes(member.email, suspended.email, team.owner.email, address)).toEqual([
    ...["already_member", "already_member", "already_member", "invited_before"],
  ]);
  const admin = await makePerson(ctx, { role: "admin" });
  const { organization } = team;
  const own = { inviter: staff(ctx, admin), organization, emails: [admin.email], role: "member" } as const;
  expect(await inviteMembers(as(ctx, admin), own)).toEqual([{ email: admin.email, outcome: "own_address" }]);
});

test("whether an address has an account cannot be told, unless the settings ask for accounts", async () => {
  const person = await makePerson(ctx);
  expect(await outcomes(person.email, address)).toEqual(["invited", "invited"]);
  const other = await makePerson(ctx);
  await ctx.db.insert(settings).values({ key: "onlyInviteExistingAccounts", value_json: "true", updated_at: 0 });
  const asked = await outcomes(
    other.email,
    `nobody.${address}`,
    (await makePerson(ctx, { status: "deactivated" })).email,
  );
  await ctx.db.delete(settings);
  expect(asked).toEqual(["invited", "no_account", "no_account"]);
});

test("an address is mailed at most three invitations an hour, over all organizations and spellings", async () => {
  const [name, domain] = address.split("@");
  const sent: string[] = [];
  for (const tag of ["", "+a", "+b", "+c"]) {
    const result = await inviteTo(ctx, await makeTeam(ctx), `${name}${tag}@${domain}`);
    sent.push(...result.map(({ outcome }) => outcome));
  }
  expect(sent).toEqual(["invited", "invited", "invited", "limited"]);
  ctx.clock.advance(hours(1));
  expect(await outcomes(address)).toEqual(["invited"]);
});

test("of twenty invitations of one address at once, one is sent", async () => {
  const result = (await Promise.all(Array.from({ length: 20 }, () => inviteTo(ctx, team, address)))).flat();
  expect(result.filter(({ outcome }) => outcome === "invited")).toHaveLength(1);
  expect(await mailsTo(ctx, address)).toHaveLength(1);
  expect(await openLinks(ctx, (await pendingMembership(ctx, address)).id)).toBe(1);
});

describe("only those who may invite now", () => {
  const invitedBy = async (
    inviter: Parameters<typeof inviteMembers>[1]["inviter"],
    role: "owner" | "member" = "member",
  ) => (await inviteMembers(ctx, { inviter, organization: team.organization, emails: [address], role }))[0]?.outcome;

  test("a member, and an administrator of another organization, are denied", async () => {
    const person = await makePerson(ctx);
    await makeMember(ctx, team.organization.id, person, "member");
    expect(await invitedBy(memberOf(ctx, person, team.organization.id, "member"))).toBe("denied");
    const other = await makeTeam(ctx);
    expect(await invitedBy(memberOf(ctx, other.owner, other.organization.id))).toBe("denied");
  });

  test("an owner who was suspended meanwhile is rejected by the batch", async () => {
    await ctx.db
      .update(organizationMemberships)
      .set({ status: "suspended" })
      .where(eq(organizationMemberships.user_id, team.owner.id));
    expect(await outcomes(address)).toEqual(["denied"]);
  });

  test("into an organization that was deleted meanwhile nobody is invited", async () => {
    const admin = await makePerson(ctx, { role: "admin" });
    await ctx.db.delete(organizations).where(eq(organizations.id, team.organization.id));
    expect(await invitedBy(staff(ctx, admin))).toBe("denied");
  });

  test("an owner is invited by staff, to an organization without one", async () => {
    const admin = await makePerson(ctx, { role: "admin" });
    expect(await invitedBy(memberOf(ctx, team.owner, team.organization.id), "owner")).toBe("denied");
    expect(await invitedBy(staff(ctx, admin), "owner")).toBe("denied");
    team = { ...team, organization: { ...(await makeOrganization(ctx, "Empty")), name: "Empty" } };
    expect(await invitedBy(staff(ctx, admin), "owner")).toBe("invited");
  });
});

test("an invited person who belongs to another organization reads of it there, and nobody else does", async () => {
  const person = await makePerson(ctx);
  const other = await makeOrganization(ctx, "Brightsmile");
  await makeMember(ctx, other.id, person, "member");
  await inviteTo(ctx, team, person.email, address);
  const told = await ctx.db.select().from(notifications).where(eq(notifications.event, "invited"));
  expect(told).toMatchObject([{ user_id: person.id, organization_id: other.id, label: team.organization.name }]);
});
