import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import type { Inviter } from "~/features/invitations/model";
import { invitationStates } from "~/features/invitations/queries.server";
import {
  copyInvitationLink,
  inviteUser,
  resendInvitation,
  resendInvitationsTo,
  revokeInvitation,
} from "~/features/invitations/sending.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { askForInvitation } from "~/features/portal/commands.server";
import { fail, ok } from "~/lib/errors";
import { days, hours } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, makePerson, type Person, signedInAs } from "../../support/factories";
import {
  invitationToken,
  inviteTo,
  invitingTeam,
  makeTeam,
  memberOf,
  openLinks,
  pendingMembership,
  staff,
  type Team,
} from "../../support/invitations";
import { mailsTo } from "../../support/mails";

let ctx: TestContext;
let team: Team;
let owner: Inviter;
let admin: Person;
let address: string;

beforeEach(async () => {
  ({ ctx, team, address } = await invitingTeam());
  owner = memberOf(ctx, team.owner, team.organization.id);
  admin = await makePerson(ctx, { role: "admin" });
});

const invited = async () => {
  await inviteTo(ctx, team, address);
  await ctx.settle();
  const { id } = await pendingMembership(ctx, address);
  return { membershipId: id, organizationId: team.organization.id };
};

const account = () =>
  inviteUser(as(ctx, admin), staff(ctx, admin), { email: address, fullName: "Jo Field", role: "moderator" });
const accounts = async () => ctx.db.select().from(users).where(eq(users.email, address));
const accountId = async () => (await accounts())[0]?.id ?? "";
const stateOf = async (id: string, of: "membership" | "account" = "membership") =>
  (await invitationStates(ctx.db, { [of]: [id] }, ctx.now())).get(id);
/** Asks for the invitation again, as the person that it is for. */
const ask = async (membershipId: string) => {
  const person = await makePerson(ctx, { email: address });
  return askForInvitation(as(ctx, person), { ...signedInAs(person, ctx.now()), role: "user" }, membershipId);
};

test("an invited account waits without a password, and its role is stored", async () => {
  const result = await account();
  expect(result.ok).toBe(true);
  const [user] = await accounts();
  const stored = { full_name: "Jo Field", status: "pending", password_hash: null, listed_role: "moderator" };
  expect(user).toMatchObject(stored);
  const [mail] = await mailsTo(ctx, address);
  expect(mail?.subject).toBe("You're invited to Wrenfield");
  expect(mail?.text).toContain("Moderator");
  expect(await stateOf(await accountId(), "account")).toMatchObject({
    ...{ email: address, invitedBy: admin.fullName, state: "pending", mail: "sent", failure: null },
  });
});

test("an invitation whose mail met a used-up quota is delayed, not failed, and sent when the quota is back", async () => {
  ctx.outcomes.push({ kind: "quota", reason: "http_429_quota" });
  await account();
  await ctx.settle();
  const state = async () => stateOf(await accountId(), "account");
  expect(await state()).toMatchObject({ mail: "delayed", failure: null });
  ctx.clock.advance(hours(1));
  await deliverOutbox(ctx);
  expect(await state()).toMatchObject({ mail: "sent", failure: null });
});

test("an address with an account is taken, one that was only claimed is not, and of twenty invitations one is stored", async () => {
  await makePerson(ctx, { email: address, status: "unverified" });
  const results = await Promise.all(Array.from({ length: 20 }, account));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await accounts()).toMatchObject([{ status: "pending" }]);
  expect(await account()).toEqual(fail("email_taken"));
  const technician = staff(ctx, await makePerson(ctx, { role: "moderator" }));
  const other = { email: "x@y.example", fullName: "X", role: "admin" } as const;
  expect(await inviteUser(ctx, technician, other)).toEqual(fail("denied"));
});

test("an administrator who has lost the role meanwhile makes no account", async () => {
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, admin.id));
  expect(await account()).toEqual(fail("denied"));
  expect(await accounts()).toEqual([]);
});

test("sending again makes a new link for another week and ends the one before", async () => {
  const target = await invited();
  const first = await invitationToken(ctx, address);
  ctx.clock.advance(days(7));
  expect(await stateOf(target.membershipId)).toMatchObject({ state: "expired" });
  expect(await resendInvitation(ctx, owner, target)).toEqual({ ok: true, value: { email: address } });
  expect(await stateOf(target.membershipId)).toMatchObject({ state: "pending", expiresAt: ctx.now() + days(7) });
  expect(await invitationToken(ctx, address)).not.toBe(first);
  expect(await openLinks(ctx, target.membershipId)).toBe(1);
});

test("of twenty at once two are sent, because an address gets three mails an hour, and one link is open", async () => {
  const target = await invited();
  const results = await Promise.all(Array.from({ length: 20 }, () => resendInvitation(ctx, owner, target)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(2);
  expect(results.find(({ ok }) => !ok)).toEqual(fail("limited"));
  expect(await openLinks(ctx, target.membershipId)).toBe(1);
});

test("an invitation of another organization looks like none", async () => {
  const { membershipId } = await invited();
  const other = await makeTeam(ctx);
  const stranger = memberOf(ctx, other.owner, other.organization.id);
  for (const target of [
    { membershipId, organizationId: other.organization.id },
    { membershipId },
    { membershipId: "mem_none" },
  ]) {
    for (const command of [resendInvitation, revokeInvitation, copyInvitationLink])
      expect(await command(ctx, stranger, target)).toEqual(fail("not_found"));
  }
  await account();
  expect(await revokeInvitation(ctx, owner, { userId: await accountId() })).toEqual(fail("not_found"));
});

test("revoking removes the membership or the account with its links and what waits to be mailed", async () => {
  await inviteTo(ctx, team, address);
  const { id } = await pendingMembership(ctx, address);
  await ctx.db.update(outbox).set({ status: "pending" });
  expect(await revokeInvitation(ctx, owner, { membershipId: id })).toMatchObject({ ok: true });
  expect(await openLinks(ctx, id)).toBe(0);
  expect(await ctx.db.$count(organizationMemberships, eq(organizationMemberships.id, id))).toBe(0);
  expect(await revokeInvitation(ctx, owner, { membershipId: id })).toEqual(fail("not_found"));
  await account();
  expect(await revokeInvitation(ctx, staff(ctx, admin), { userId: await accountId() })).toMatchObject({ ok: true });
  expect(await accounts()).toEqual([]);
});

test("of twenty revocations at once one succeeds", async () => {
  const target = await invited();
  const results = await Promise.all(Array.from({ length: 20 }, () => revokeInvitation(ctx, owner, target)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
});

test("an account that was accepted is never revoked", async () => {
  await account();
  const userId = await accountId();
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, userId));
  expect(await revokeInvitation(ctx, staff(ctx, admin), { userId })).toEqual(fail("not_found"));
  expect(await accounts()).toHaveLength(1);
});

test("the link can be copied once the mail has failed, which ends the mailed one", async () => {
  const target = await invited();
  expect(await copyInvitationLink(ctx, owner, target)).toEqual(fail("mail_not_failed"));
  ctx.outcomes.push({ kind: "permanent", reason: "http_422" });
  await resendInvitation(ctx, owner, target);
  await ctx.settle();
  expect(await stateOf(target.membershipId)).toMatchObject({
    mail: "dead",
    failure: "the mail service did not accept it (http_422)",
  });
  const copied = await copyInvitationLink(ctx, owner, target);
  expect(copied.ok && copied.value.url).toMatch(/^http:\/\/localhost:8787\/invite\?token=[\w-]{43}$/);
  expect(await openLinks(ctx, target.membershipId)).toBe(1);
  expect(await stateOf(target.membershipId)).toMatchObject({ mail: null, failure: null });
});

test("whoever is invited asks again without using up the invitations that the organization may send today", async () => {
  const { membershipId } = await invited();
  const used = async () => {
    const rows = await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.attempt_type, "invite_org"));
    return rows.flatMap(({ identifier, attempts }) => (identifier.startsWith(team.organization.id) ? [attempts] : []));
  };
  expect(await used()).toEqual([1]);
  expect(await ask(membershipId)).toEqual(ok(null));
  expect(await used()).toEqual([1]);
});

test("others who fill in forms with an address keep its owner from asking for nothing", async () => {
  const { membershipId } = await invited();
  for (let times = 0; times < 5; times += 1) await resendInvitationsTo(ctx, address);
  expect(await ask(membershipId)).toEqual(ok(null));
});
