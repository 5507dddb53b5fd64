import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { findSignedIn } from "~/features/auth/queries.server";
import { lookUpInvitation, type OpenedInvitation, openInvitedAccount } from "~/features/invitations/answering.server";
import { inviteMembers, inviteUser, resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { organizationTexts } from "~/features/organizations/model";
import { days } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSession, type Person } from "../../support/factories";
import {
  acceptAs,
  invitationToken,
  inviteTo,
  makeTeam,
  memberOf,
  NOT_OPEN,
  openInvitation,
  pendingMembership,
  staff,
  type Team,
  withInvitation,
} from "../../support/invitations";
import { visitorContext } from "../../support/visitor";

const TYPED = { fullName: "Jo Field", password: "Invited!Horse7battery" };

let ctx: TestContext;
let team: Team;
let person: Person;
let address: string;
let addresses = 0;

beforeEach(async () => {
  ctx = visitorContext();
  team = await makeTeam(ctx);
  person = await makePerson(ctx);
  addresses += 1;
  address = `accepting${addresses}@larkspur.example`;
});

const opened = (email: string) => openInvitation(ctx, email);
const invited = async (email: string) => {
  await inviteTo(ctx, team, email);
  return opened(email);
};
const accept = (invitation: OpenedInvitation, by = person) => acceptAs(ctx, by, invitation);
const membershipOf = async (userId: string) =>
  (await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.user_id, userId)))[0];
const accountOf = async (email: string) => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];

describe("a person with an account", () => {
  test("becomes an active member, which the organization's audit says", async () => {
    expect(await accept(await invited(person.email))).toMatchObject({ ok: true });
    expect(await membershipOf(person.id)).toMatchObject({ status: "active", role: "member", joined_at: ctx.now() });
    const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.org_id, team.organization.id));
    expect(events.at(-1)).toMatchObject({ action: "organization.member_joined", actor_id: person.id });
  });

  test("of twenty acceptances at once one counts", async () => {
    const invitation = await invited(person.email);
    const results = await Promise.all(Array.from({ length: 20 }, () => accept(invitation)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await ctx.db.$count(organizationMemberships, eq(organizationMemberships.user_id, person.id))).toBe(1);
  });

  test("somebody else with the link is rejected, and so is the person after a change of address", async () => {
    const invitation = await invited(person.email);
    expect(await accept(invitation, await makePerson(ctx))).toEqual(NOT_OPEN);
    await ctx.db.update(users).set({ email: address }).where(eq(users.id, person.id));
    expect(await accept(invitation)).toEqual(NOT_OPEN);
    expect(await membershipOf(person.id)).toBeUndefined();
  });

  test("a member of the organization under another address only uses the invitation up", async () => {
    const invitation = await invited(address);
    await makeMember(ctx, team.organization.id, person, "admin", "suspended");
    await ctx.db.update(users).set({ email: address }).where(eq(users.id, person.id));
    expect(await accept(invitation, { ...person, email: address })).toEqual({ ok: true, wasMember: true });
    expect(await membershipOf(person.id)).toMatchObject({ role: "admin", status: "suspended" });
    await expect(pendingMembership(ctx, address)).rejects.toThrow();
  });

  test("goes on working in the organization they work in, even when the new one comes first by name", async () => {
    const other = await makeOrganization(ctx, "Zebra");
    await makeMember(ctx, other.id, person, "member");
    const { signedIn } = await makeSession(ctx, person, 1);
    await ctx.db
      .update(organizations)
      .set(organizationTexts({ name: "Aardvark", description: "" }))
      .where(eq(organizations.id, team.organization.id));
    await accept(await invited(person.email));
    const now = await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now());
    expect(now?.membership?.organizationName).toBe("Zebra");
    await ctx.db.delete(sessions).where(eq(sessions.user_id, person.id));
  });
});

describe("a new person", () => {
  test("has an active account with a proved address and the membership", async () => {
    expect(await openInvitedAccount(ctx, await invited(address), TYPED)).toMatchObject({ ok: true });
    const account = await accountOf(address);
    expect(account).toMatchObject({ status: "active", full_name: "Jo Field", listed_role: "user" });
    expect(await membershipOf(account?.id ?? "")).toMatchObject({ status: "active" });
  });

  test("of twenty acceptances at once one counts", async () => {
    const invitation = await invited(address);
    const results = await Promise.all(Array.from({ length: 20 }, () => openInvitedAccount(ctx, invitation, TYPED)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await ctx.db.$count(users, eq(users.email, address))).toBe(1);
  });

  test("takes the address over from a sign-up that nobody has confirmed, and nothing of that remains", async () => {
    const claimed = await makePerson(ctx, { email: address, status: "unverified", withPassword: true });
    const invitation = await invited(address);
    expect(invitation.address.status).toBe("unverified");
    expect(await openInvitedAccount(ctx, invitation, TYPED)).toMatchObject({ ok: true });
    const account = await accountOf(address);
    expect(account?.id).not.toBe(claimed.id);
    expect(account?.full_name).toBe("Jo Field");
  });

  test("gets nothing when an account with the address was confirmed meanwhile", async () => {
    const invitation = await invited(address);
    await makePerson(ctx, { email: address });
    expect(await openInvitedAccount(ctx, invitation, TYPED)).toEqual(NOT_OPEN);
    expect((await pendingMembership(ctx, address)).status).toBe("pending");
  });

  test("chooses a password that fits the policy", async () => {
    const weak = { ...TYPED, password: "short" };
    expect(await openInvitedAccount(ctx, await invited(address), weak)).toEqual({
      ok: false,
      error: { code: "password_too_short" },
    });
  });
});

describe("an account that staff have prepared", () => {
  let admin: Person;
  beforeEach(async () => {
    admin = await makePerson(ctx, { role: "admin" });
    await inviteUser(as(ctx, admin), staff(ctx, admin), { email: address, fullName: "J. Field", role: "moderator" });
  });

  test("is opened with the name and password of its owner and keeps its role", async () => {
    expect(await openInvitedAccount(ctx, await opened(address), TYPED)).toMatchObject({ ok: true });
    expect(await accountOf(address)).toMatchObject({
      status: "active",
      full_name: "Jo Field",
      listed_role: "moderator",
    });
  });

  test("is not opened when its inviter is no administrator any more, also if that changes at the same moment", async () => {
    const invitation = await opened(address);
    await ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, admin.id));
    expect((await opened(address)).state).toBe("void");
    expect(await openInvitedAccount(ctx, invitation, TYPED)).toEqual(NOT_OPEN);
    expect(await accountOf(address)).toMatchObject({ status: "pending", password_hash: null });
  });
});

describe("an invited owner", () => {
  const EMPTY = "Empty Rooms";
  let admin: Person;
  const inviteOwner = async () => {
    admin = await makePerson(ctx, { role: "admin" });
    const organization = { ...(await makeOrganization(ctx, EMPTY)), name: EMPTY };
    const owner = { inviter: staff(ctx, admin), organization, emails: [person.email], role: "owner" } as const;
    expect(await inviteMembers(as(ctx, admin), owner)).toMatchObject([{ outcome: "invited" }]);
    return organization;
  };

  test("owns the organization after accepting", async () => {
    await inviteOwner();
    expect(await accept(await opened(person.email))).toMatchObject({ ok: true });
    expect(await membershipOf(person.id)).toMatchObject({ role: "owner", status: "active" });
  });

  test("is rejected when who invited is no administrator any more, though one of the organization", async () => {
    const organization = await inviteOwner();
    const invitation = await opened(person.email);
    await makeMember(ctx, organization.id, admin, "admin");
    await ctx.db.update(userRoles).set({ role: "user" }).where(eq(userRoles.user_id, admin.id));
    expect((await opened(person.email)).state).toBe("void");
    expect(await accept(invitation)).toEqual(NOT_OPEN);
  });

  test("is rejected when there is an owner by then, and nobody of the organization answers for the invitation", async () => {
    const organization = await inviteOwner();
    const { id: membershipId } = await pendingMembership(ctx, person.email);
    const other = await makePerson(ctx);
    await makeMember(ctx, organization.id, other, "owner");
    expect(await accept(await opened(person.email))).toEqual(NOT_OPEN);
    const actor = memberOf(ctx, other, organization.id, "admin");
    expect(await revokeInvitation(ctx, actor, { membershipId })).toEqual({ ok: false, code: "not_found" });
  });
});

describe("what ends an invitation", () => {
  const state = async (token: string) => {
    const found = await lookUpInvitation(withInvitation(ctx, token));
    return found.kind === "found" ? found.invitation.state : found.kind;
  };
  const target = async () => ({ membershipId: (await pendingMembership(ctx, person.email)).id });
  const owner = () => memberOf(ctx, team.owner, team.organization.id);

  test.each<[string, string, () => Promise<unknown>]>([
    ["a week", "expired", async () => ctx.clock.advance(days(7))],
    ["a newer link", "replaced", async () => resendInvitation(ctx, owner(), await target())],
    ["revoking it", "unknown", async () => revokeInvitation(ctx, owner(), await target())],
    [
      "the end of the organization",
      "unknown",
      () => ctx.db.delete(organizations).where(eq(organizations.id, team.organization.id)),
    ],
    [
      "the end of its inviter's rights",
      "void",
      () =>
        ctx.db
          .update(organizationMemberships)
          .set({ status: "suspended" })
          .where(eq(organizationMemberships.user_id, team.owner.id)),
    ],
    [
      "the end of its inviter's account",
      "void",
      () => ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, team.owner.id)),
    ],
    ["its use", "used", async () => accept(await opened(person.email))],
  ])("%s: %s", async (_, wanted, end) => {
    const invitation = await invited(person.email);
    const token = await invitationToken(ctx, person.email);
    expect(await state(token)).toBe("open");
    await end();
    expect(await state(token)).toBe(wanted);
    expect(await accept(invitation)).toEqual(NOT_OPEN);
  });

  test("of accepting and revoking at once one wins, and so of accepting and sending again", async () => {
    for (const other of [revokeInvitation, resendInvitation]) {
      const somebody = await makePerson(ctx);
      const invitation = await invited(somebody.email);
      const { id } = await pendingMembership(ctx, somebody.email);
      const rivals = Array.from({ length: 10 }, (_, turn) => [
        accept(invitation, somebody),
        turn === 0 ? other(ctx, owner(), { membershipId: id }) : accept(invitation, somebody),
      ]).flat();
      const results = (await Promise.all<{ ok: boolean }>(rivals)).filter(({ ok }) => ok);
      expect(results).toHaveLength(1);
    }
  });
});

test("a guessed link is counted for the network; one that exists is not", async () => {
  await invited(person.email);
  const token = await invitationToken(ctx, person.email);
  for (let tries = 0; tries < 21; tries += 1) {
    expect((await lookUpInvitation(withInvitation(ctx, token))).kind).toBe("found");
    await ctx.settle();
  }
  const guess = () => lookUpInvitation(withInvitation(ctx, ctx.newToken()));
  for (let tries = 0; tries < 20; tries += 1) expect((await guess()).kind).toBe("unknown");
  expect((await guess()).kind).toBe("blocked");
});
