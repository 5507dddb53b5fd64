import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationMemberships } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { findSignedIn } from "~/features/auth/queries.server";
import { startSession } from "~/features/auth/sessions.server";
import { minutes } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { type TestContext, testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson, type Person } from "../../support/factories";
import { proven } from "../../support/sign-in-steps";

/** Signs a person in, a minute later. Returns a function that tells where the session works now. */
async function signIn(ctx: TestContext, person: Person) {
  ctx.clock.advance(minutes(1));
  await startSession(ctx, proven(person));
  const cookie = ctx.cookiesSet.findLast((header) => header.startsWith("__Host-sid=")) ?? "";
  const hash = hashToken(/=([\w-]{43});/.exec(cookie)?.[1] ?? "");
  return async () => (await findSignedIn(ctx.db, hash, ctx.now()))?.membership?.organizationName;
}

describe("the organization that a session works in", () => {
  test("is the one used last, where the person still belongs to it, and else the first by name", async () => {
    const ctx = testContext();
    const person = await makePerson(ctx);
    const [cedar, birch] = [await makeOrganization(ctx, "Cedar"), await makeOrganization(ctx, "Birch")];
    const inCedar = await makeMember(ctx, cedar.id, person, "member");
    await makeMember(ctx, birch.id, person, "member");
    expect(await (await signIn(ctx, person))()).toBe("Birch");
    await ctx.db.update(sessions).set({ current_org_id: cedar.id }).where(eq(sessions.user_id, person.id));
    const current = await signIn(ctx, person);
    expect(await current()).toBe("Cedar");
    await ctx.db
      .update(organizationMemberships)
      .set({ status: "suspended" })
      .where(eq(organizationMemberships.id, inCedar.id));
    expect(await current()).toBe("Birch");
    expect(await (await signIn(ctx, person))()).toBe("Birch");
  });

  test("stays the same when another one, before it by name, takes the person in", async () => {
    const ctx = testContext();
    const person = await makePerson(ctx);
    await makeMember(ctx, (await makeOrganization(ctx, "Birch")).id, person, "member");
    const current = await signIn(ctx, person);
    await makeMember(ctx, (await makeOrganization(ctx, "Alder")).id, person, "member");
    expect(await current()).toBe("Birch");
    expect(await (await signIn(ctx, person))()).toBe("Birch");
  });
});
