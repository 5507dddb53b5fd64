import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { findSignedIn } from "~/features/auth/queries.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_auth.invite";
import { derive, type TestContext, testContext } from "../support/context";
import { makeMember, makePerson, makeSession } from "../support/factories";
import {
  invitationToken,
  inviteTo,
  makeTeam,
  pendingMembership,
  type Team,
  withInvitation,
} from "../support/invitations";
import { PERSONAS, type Persona } from "../support/permissions";
import { args, get, post } from "../support/requests";

/*
 * The page of an invitation needs no sign-in, so the table of permissions knows it without a link only. Here everybody
 * opens the link of somebody else: one that works, one that has expired, one that was used, one that was revoked.
 */

let ctx: TestContext;
let team: Team;
let address: string;
let token: string;
let number = 0;

beforeEach(async () => {
  ctx = testContext();
  team = await makeTeam(ctx);
  number += 1;
  address = `link.of.another${number}@larkspur.example`;
  await inviteTo(ctx, team, address);
  await ctx.settle();
  token = await invitationToken(ctx, address);
});

const ROLES = { moderator: "moderator", admin: "admin", admin_without_second_factor: "admin" } as const;
const MEMBERSHIPS = {
  member: ["member", "active"],
  organization_admin: ["admin", "active"],
  suspended_member: ["member", "suspended"],
  pending_member: ["admin", "pending"],
} as const;

/** Returns the context of a browser in which a person is signed in and has opened the link. */
async function browserOf(persona: Persona): Promise<TestContext> {
  const opened = withInvitation(ctx, token);
  if (persona === "anonymous") return opened;
  const role = ROLES[persona as keyof typeof ROLES] ?? "user";
  const person = persona === "owner" ? team.owner : await makePerson(ctx, { role });
  const [inside, status] = MEMBERSHIPS[persona as keyof typeof MEMBERSHIPS] ?? [];
  if (inside) await makeMember(ctx, team.organization.id, person, inside, status);
  const { signedIn } = await makeSession(ctx, person, persona === "moderator" || persona === "admin" ? 2 : 1);
  return derive(opened, { signedIn: await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now()) });
}

const read = async (browser: TestContext) => {
  const response = await loader(args(browser, get("/invite")));
  return [response.status, (await response.json()).step];
};
const send = async (browser: TestContext, intent: string) => {
  const password = "Invited!Horse7battery";
  const form_token = issueFormToken(browser, "invitation");
  const fields = { intent, form_token, full_name: "Mallory", password, confirm_password: password };
  try {
    return (await action(args(browser, post("/invite", fields)))).status;
  } catch (thrown) {
    return (thrown as Response).status;
  }
};

const LINKS: [string, [number, string], () => Promise<unknown>][] = [
  ["that has expired", [409, "expired"], async () => ctx.clock.advance(days(7))],
  [
    "that was used",
    [409, "used"],
    async () => {
      const { id } = await makePerson(ctx, { email: address });
      await ctx.db
        .update(organizationMemberships)
        .set({ status: "active", user_id: id, joined_at: ctx.now() })
        .where(eq(organizationMemberships.invited_email, address));
      await ctx.db.update(invitations).set({ consumed_at: ctx.now() }).where(eq(invitations.email, address));
    },
  ],
  [
    "that was revoked",
    [404, "unknown"],
    () => ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.invited_email, address)),
  ],
];

describe.each(PERSONAS)("%s", (persona) => {
  const isVisitor = persona === "anonymous";

  test("opens somebody else's link, and cannot make it their own", async () => {
    const browser = await browserOf(persona);
    expect(await read(browser)).toEqual(isVisitor ? [200, "set_up"] : [403, "other_account"]);
    expect(await send(browser, "accept")).toBe(409);
    if (!isVisitor) expect(await send(browser, "set_up")).toBe(409);
    expect(await pendingMembership(ctx, address)).toMatchObject({ status: "pending", user_id: null });
  });

  test.each(LINKS)("opens a link %s, which says so and does nothing", async (_, expected, end) => {
    await end();
    const browser = await browserOf(persona);
    const before = await ctx.db.select().from(organizationMemberships);
    expect(await read(browser)).toEqual(expected);
    for (const intent of ["accept", "set_up", "decline"]) expect(await send(browser, intent), intent).toBe(409);
    expect(await ctx.db.select().from(organizationMemberships)).toEqual(before);
  });
});
