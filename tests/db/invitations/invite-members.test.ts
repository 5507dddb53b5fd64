import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { notifications } from "~/db/schema/notifications";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import type { Inviter } from "~/features/invitations/model";
import {
  inviteMembers,
  inviteUser,
  resendInvitation,
  resendInvitationsTo,
} from "~/features/invitations/sending.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { days } from "~/lib/time";
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

const setNew = ({ organization }: Team) =>
  ctx.db.update(organizations).set({ needs_review_at: ctx.now() }).where(eq(organizations.id, organization.id));
const many = (count: number) => Array.from({ length: count }, (_, number) => `${number}.${address}`);
const outcomes = async (...emails: string[]) => (await inviteTo(ctx, team, ...emails)).map(({ outcome }) => outcome);

/** Returns how an invitation of somebody else than the owner ends. */
const invitedBy = async (inviter: Inviter, role: "owner" | "member" = "member") =>
  (await inviteMembers(ctx, { inviter, organization: team.organization, emails: [address], role }))[0]?.outcome;

test("an invited address has a pending membership without a person, an audit event and a mail with both links", async () => {
  expect(await inviteTo(ctx, team, ` ${address.toUpperCase()} `)).toEqual([{ email: address, outcome: "invited" }]);
  expect(await pendingMembership(ctx, address)).toMatchObject({
    ...{ organization_id: team.organization.id, user_id: null, status: "pending", role: "member", joined_at: null },
    ...{ invited_by: team.owner.id, invited_at: ctx.now() },
  });
  const [mail] = await mailsTo(ctx, address);
  expect(mail?.subject).toBe(`You're invited to join ${team.organization.name}`);
  const parts = [team.owner.fullName, team.organization.name, "Member", "until Wed, Nov 25", "Not me, remove this"];
  for (const body of [mail?.text, mail?.html]) for (const part of parts) expect(body).toContain(part);
  expect(linkIn(mail, "/invite")).toMatch(/^\/invite\?token=[\w-]{43}$/);
  expect(mail?.text).toMatch(/\/invite\?token=[\w-]{43}&answer=no/);
  const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.org_id, team.organization.id));
  expect(event).toMatchObject({ action: "organization.member_invited", actor_id: team.owner.id });
});

test("of fifty pasted addresses the broken ones are rejected and twenty are invited today", async () => {
  const good = many(47);
  const typed = [...good.slice(0, 3), "no address", "a@b", "two@@ats.example", ...good.slice(3)];
  const result = await inviteTo(ctx, team, ...typed);
  const count = (wanted: string) => result.filter(({ outcome }) => outcome === wanted).length;
  expect([count("invited"), count("invalid"), count("limited")]).toEqual([20, 3, 27]);
  expect(
    await ctx.db.$count(organizationMemberships, sql`organization_id = ${team.organization.id} and status = 'pending'`),
  ).toBe(20);
  ctx.clock.advance(days(1));
  expect(await outcomes(...good.slice(-1))).toEqual(["invited"]);
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
  const already = await outcomes(member.email, suspended.email, team.owner.email, address);
  expect(already).toEqual(["already_member", "already_member", "already_member", "invited_before"]);
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
  const gone = await makePerson(ctx, { status: "deactivated" });
  const asked = await outcomes(other.email, `nobody.${address}`, gone.email);
  await ctx.db.delete(settings);
  expect(asked).toEqual(["invited", "no_account", "no_account"]);
});

describe("a mailbox", () => {
  /** Makes a team that invites, reviewed or not. */
  const makeSender = async (isNew = false) => {
    const sender = await makeTeam(ctx);
    if (isNew) await setNew(sender);
    return sender;
  };
  const spellings = (count: number) => {
    const [name, domain] = address.split("@");
    return Array.from({ length: count }, (_, tag) => `${name}+${tag}@${domain}`);
  };
  const sentBy = async (sender: Team, ...emails: string[]) =>
    (await inviteTo(ctx, sender, ...emails)).map(({ outcome }) => outcome);

  test("gets three invitations of an organization a day, in all spellings, and that keeps no other from inviting it", async () => {
    expect(await sentBy(team, ...spellings(4))).toEqual(["invited", "invited", "invited", "limited"]);
    expect(await sentBy(await makeSender(), address)).toEqual(["invited"]);
    ctx.clock.advance(days(1));
    expect(await sentBy(team, address)).toEqual(["invited"]);
  });

  test("gets ten a day of all together", async () => {
    const sent: string[] = [];
    for (let senders = 0; senders < 11; senders += 1) sent.push(...(await sentBy(await makeSender(), address)));
    expect(sent).toEqual([...Array(10).fill("invited"), "limited"]);
  });

  test("is left to reviewed organizations and staff, however many new ones invite it and whoever asks for it again", async () => {
    const sent: string[] = [];
    for (let senders = 0; senders < 7; senders += 1) sent.push(...(await sentBy(await makeSender(true), address)));
    expect(sent.filter((outcome) => outcome === "invited")).toHaveLength(5);
    for (let times = 0; times < 7; times += 1) await resendInvitationsTo(ctx, address);
    await deliverOutbox(ctx);
    expect(await mailsTo(ctx, address)).toHaveLength(8);
    expect(await sentBy(await makeSender(), address)).toEqual(["invited"]);
    const admin = await makePerson(ctx, { role: "admin" });
    const account = { email: address, fullName: "Jo Field", role: "user" } as const;
    expect(await inviteUser(as(ctx, admin), staff(ctx, admin), account)).toMatchObject({ ok: true });
  });

  test("of many at once gets no more than that", async () => {
    const senders = await Promise.all(Array.from({ length: 16 }, () => makeSender()));
    const sent = (await Promise.all(senders.map((sender) => sentBy(sender, address)))).flat();
    expect(sent.filter((outcome) => outcome === "invited")).toHaveLength(10);
  });
});

describe("an organization that nobody has reviewed yet", () => {
  const NAMES = ["Win money at www.prize.example now", "जीतो हिन्दी.com", "https://डाटामेल.भारत/x"];

  beforeEach(() => setNew(team));

  test("invites five people a day, and as many as others once it is reviewed", async () => {
    const results = await outcomes(...many(7));
    expect(results).toEqual([...Array(5).fill("invited"), "limited", "limited"]);
    await ctx.db.update(organizations).set({ needs_review_at: null }).where(eq(organizations.id, team.organization.id));
    expect(await outcomes(`later.${address}`)).toEqual(["invited"]);
  });

  test("invites no more because its founder has several: five people a day of one person", async () => {
    const second = await makeTeam(ctx);
    await setNew(second);
    await makeMember(ctx, second.organization.id, team.owner, "admin");
    expect(await outcomes(...many(3))).toEqual(Array(3).fill("invited"));
    const elsewhere = await inviteTo(ctx, { ...second, owner: team.owner }, ...many(3));
    expect(elsewhere.map(({ outcome }) => outcome)).toEqual(["invited", "invited", "limited"]);
    expect((await inviteTo(ctx, second, `own.${address}`)).map(({ outcome }) => outcome)).toEqual(["invited"]);
  });

  test("has people invited by staff as well, whatever it and others have sent", async () => {
    await outcomes(...many(6));
    for (let times = 0; times < 6; times += 1) {
      const other = await makeTeam(ctx);
      await setNew(other);
      await inviteTo(ctx, other, address);
    }
    expect(await invitedBy(staff(ctx, await makePerson(ctx, { role: "admin" })))).toBe("invited");
  });

  test.each(NAMES)("heads no mail to a stranger with its words, and none of them is a link: %s", async (name) => {
    await ctx.db.update(organizations).set({ name }).where(eq(organizations.id, team.organization.id));
    const asked = { ...team, organization: { ...team.organization, name }, owner: { ...team.owner, fullName: name } };
    await inviteTo(ctx, asked, address);
    const [mail] = await mailsTo(ctx, address);
    expect(mail?.subject).toBe("You're invited to Wrenfield");
    const own = (mail?.text ?? "").replaceAll(/http:\/\/localhost:8787\S+|hello@wrenfield\.example/g, "");
    expect(own).not.toMatch(/:\/\/\S|[\p{L}\p{M}\p{N}]\.[\p{L}\p{M}]{2}/u);
    const { id: membershipId } = await pendingMembership(ctx, address);
    await resendInvitation(ctx, memberOf(ctx, team.owner, team.organization.id), { membershipId });
    expect((await mailsTo(ctx, address)).at(-1)?.subject).toBe("You're invited to Wrenfield");
  });
});

test("of twenty invitations of one address at once, one is sent", async () => {
  const result = (await Promise.all(Array.from({ length: 20 }, () => inviteTo(ctx, team, address)))).flat();
  expect(result.filter(({ outcome }) => outcome === "invited")).toHaveLength(1);
  expect(await mailsTo(ctx, address)).toHaveLength(1);
  expect(await openLinks(ctx, (await pendingMembership(ctx, address)).id)).toBe(1);
});

describe("only those who may invite now", () => {
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
