import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { organizationMemberships } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { findSignedIn } from "~/features/auth/queries.server";
import { socketTag } from "~/live/sockets.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as layout } from "~/routes/_portal";
import { action } from "~/routes/_portal.client.switch";
import { derive, testContext } from "../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, makeSession } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";

/** Signs somebody in who works for two organizations, and is suspended from a third. */
async function person() {
  const ctx = testContext();
  const someone = await makePerson(ctx);
  const [first, second, third] = [
    await makeOrganization(ctx, "Alder Clinic"),
    await makeOrganization(ctx, "Birch School"),
    await makeOrganization(ctx, "Cedar Office"),
  ];
  await makeMember(ctx, first.id, someone, "owner");
  const { id: secondMembership } = await makeMember(ctx, second.id, someone, "member");
  await makeMember(ctx, third.id, someone, "member", "suspended");
  const { signedIn: session } = await makeSession(ctx, someone, 1);
  /** Returns what a request of this session knows now. */
  const current = async () => derive(ctx, { signedIn: await findSignedIn(ctx.db, session.sessionHash, ctx.now()) });
  const switchTo = async (organization_id: string) => {
    const context = await current();
    const fields = { intent: "switch", form_token: issueFormToken(context, "switch-organization"), organization_id };
    return action(args(context, post("/client/switch", fields)));
  };
  return { ctx, someone, session, first, second, third, secondMembership, current, switchTo };
}

const shown = async (context: ReturnType<typeof testContext>) => (await layout(args(context, get("/client")))).json();

test("a person works in the first of their organizations by name, until they switch; it holds for this session only", async () => {
  const { ctx, someone, second, session, current, switchTo } = await person();
  const before = await shown(await current());
  expect(before.organization?.name).toBe("Alder Clinic");
  expect(before.organizations.map(({ name }) => name)).toEqual(["Alder Clinic", "Birch School"]);
  const answer = await switchTo(second.id);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/client"]);
  expect((await shown(await current())).organization?.name).toBe("Birch School");
  const other = await makeSession(ctx, someone, 1);
  expect((await findSignedIn(ctx.db, other.signedIn.sessionHash, ctx.now()))?.membership?.organizationName).toBe(
    "Alder Clinic",
  );
  await ctx.settle();
  expect(ctx.disconnected.at(-1)?.tag).toBe(socketTag.session(session.sessionHash));
});

test("the sockets that a session has in the organization it leaves are closed, and no others", async () => {
  const { ctx, first, second, session, switchTo } = await person();
  await switchTo(second.id);
  await ctx.settle();
  expect(ctx.disconnected).toEqual([
    { audience: organizationAudience(first.id), tag: socketTag.session(session.sessionHash) },
  ]);
  await switchTo(second.id);
  await ctx.settle();
  expect(ctx.disconnected).toHaveLength(1);
});

test("nobody switches to an organization that they do not belong to, are invited to, are suspended from, or that is not there", async () => {
  const { ctx, someone, third, session, switchTo } = await person();
  const foreign = await makeOrganization(ctx, "Aspen House");
  const inviting = await makeOrganization(ctx, "Ash House");
  await makeInvitedMember(ctx, inviting.id, { email: someone.email });
  for (const id of [foreign.id, inviting.id, third.id, "org_missing", "", "' OR 1=1 --"]) {
    expect((await thrownBy(switchTo(id))).status, id).toBe(404);
  }
  const [row] = await ctx.db.select().from(sessions).where(eq(sessions.id_hash, session.sessionHash));
  expect(row?.current_org_id).toBeNull();
  await ctx.settle();
  expect(ctx.disconnected).toEqual([]);
});

test("whoever is suspended from the organization they work in is back in the first one with the next request", async () => {
  const { ctx, second, secondMembership, current, switchTo } = await person();
  await switchTo(second.id);
  const suspend = ctx.db.update(organizationMemberships).set({ status: "suspended" });
  await suspend.where(eq(organizationMemberships.id, secondMembership));
  const after = await shown(await current());
  expect(after.organization?.name).toBe("Alder Clinic");
  expect(after.organizations.map(({ name }) => name)).toEqual(["Alder Clinic"]);
});

test("an organization that invites or takes in a person does not become the one they work in", async () => {
  const { ctx, someone, second, current, switchTo } = await person();
  await switchTo(second.id);
  const earlier = await makeOrganization(ctx, "Aardvark Lab");
  await makeMember(ctx, earlier.id, someone, "member");
  expect((await shown(await current())).organization?.name).toBe("Birch School");
});
