import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { inviteUser, resendInvitation } from "~/features/invitations/sending.server";
import { purgeExpired, removeUnansweredInvitations } from "~/jobs/purge-expired.server";
import { days } from "~/lib/time";
import { as, makePerson } from "../../support/factories";
import { inviteTo, makeTeam, memberOf, pendingMembership, staff } from "../../support/invitations";
import { visitorContext } from "../../support/visitor";

test("what nobody has answered goes thirty days after its link has expired, and not what was sent again or accepted", async () => {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  const admin = await makePerson(ctx, { role: "admin" });
  const account = { fullName: "Jo Field", role: "moderator" } as const;
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "unanswered@larkspur.example" });
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "answered@larkspur.example" });
  await inviteTo(ctx, team, "ignored@larkspur.example", "again@larkspur.example");
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.email, "answered@larkspur.example"));
  ctx.clock.advance(days(37));
  await removeUnansweredInvitations(ctx);
  const left = async () => [
    ...(await ctx.db.select({ email: users.email }).from(users)).map(({ email }) => email),
    ...(await ctx.db.select({ email: organizationMemberships.invited_email }).from(organizationMemberships)).map(
      ({ email }) => email,
    ),
  ];
  expect(await left()).toEqual(expect.arrayContaining(["unanswered@larkspur.example", "ignored@larkspur.example"]));
  const { id: membershipId } = await pendingMembership(ctx, "again@larkspur.example");
  await resendInvitation(ctx, memberOf(ctx, team.owner, team.organization.id), { membershipId });
  ctx.clock.advance(1);
  await removeUnansweredInvitations(ctx);
  const kept = await left();
  expect(kept).toEqual(expect.arrayContaining(["answered@larkspur.example", "again@larkspur.example"]));
  expect(kept).not.toContain("unanswered@larkspur.example");
  expect(kept).not.toContain("ignored@larkspur.example");
});

test("links that expired are not deleted before what they were for, and those of people who are in already are", async () => {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  const admin = await makePerson(ctx, { role: "admin" });
  const account = { fullName: "Jo Field", role: "moderator" } as const;
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "silent@larkspur.example" });
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "inside@larkspur.example" });
  await inviteTo(ctx, team, "quiet@larkspur.example");
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.email, "inside@larkspur.example"));
  ctx.clock.advance(days(37) + 1);
  // Runs every ten minutes, the other job once an hour.
  await purgeExpired(ctx);
  expect((await removeUnansweredInvitations(ctx)).count).toBe(3);
  expect(await ctx.db.$count(users, eq(users.email, "silent@larkspur.example"))).toBe(0);
  expect(await ctx.db.$count(users, eq(users.email, "inside@larkspur.example"))).toBe(1);
  const quiet = eq(organizationMemberships.invited_email, "quiet@larkspur.example");
  expect(await ctx.db.$count(organizationMemberships, quiet)).toBe(0);
  expect(await ctx.db.$count(invitations, eq(invitations.email, "inside@larkspur.example"))).toBe(0);
  expect(await removeUnansweredInvitations(ctx)).toEqual({ count: 0 });
});
