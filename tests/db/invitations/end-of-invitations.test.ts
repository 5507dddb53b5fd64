import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { lookUpInvitation, type OpenedInvitation } from "~/features/invitations/answering.server";
import { resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { days } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";
import {
  acceptAs,
  invitationToken,
  inviteTo,
  makeTeam,
  memberOf,
  NOT_OPEN,
  openInvitation,
  pendingMembership,
  type Team,
  withInvitation,
} from "../../support/invitations";
import { visitorContext } from "../../support/visitor";

let ctx: TestContext;
let team: Team;
let person: Person;

beforeEach(async () => {
  ctx = visitorContext();
  team = await makeTeam(ctx);
  person = await makePerson(ctx);
});

const opened = (email: string) => openInvitation(ctx, email);
const invited = async (email: string) => {
  await inviteTo(ctx, team, email);
  return opened(email);
};
const accept = (invitation: OpenedInvitation, by = person) => acceptAs(ctx, by, invitation);

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
  for (let tries = 0; tries < 25; tries += 1) {
    expect((await lookUpInvitation(withInvitation(ctx, token))).kind).toBe("found");
    await ctx.settle();
  }
  const guess = () => lookUpInvitation(withInvitation(ctx, ctx.newToken()));
  for (let tries = 0; tries < 20; tries += 1) expect((await guess()).kind).toBe("unknown");
  expect((await guess()).kind).toBe("blocked");
});
