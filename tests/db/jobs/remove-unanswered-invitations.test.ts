import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { inviteUser } from "~/features/invitations/sending/invite-user.server";
import { resendInvitation } from "~/features/invitations/sending/resend-invitation.server";
import { removeUnansweredInvitations } from "~/jobs/remove-unanswered-invitations.server";
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
