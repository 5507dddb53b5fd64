import { runDurableObjectAlarm } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { MFA_GRACE } from "~/access/model";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { minutes } from "~/lib/time";
import type { SignedIn } from "~/platform/context.server";
import { makeMember, makeOrganization, makePerson, makeSession, type Person } from "../../support/factories";
import { hubOf, liveWorld, received, storeEvent } from "../../support/live";

const { ctx, connect, announce } = liveWorld();

describe("an organization's hub", () => {
  test("members receive the events of their own organization only", async () => {
    const [own, other] = [await makeOrganization(ctx), await makeOrganization(ctx)];
    const person = await makePerson(ctx);
    await makeMember(ctx, own.id, person, "member");
    const { signedIn } = await makeSession(ctx, person, 1);
    const audience = organizationAudience(own.id);
    const listener = await connect(signedIn, audience);
    await storeEvent(ctx, { audience: "staff" });
    await storeEvent(ctx, { audience: organizationAudience(other.id), type: "ticket_event" });
    const seq = await announce({ audience, type: "ticket_event" });
    expect(await received(listener)).toEqual([seq]);
  });

  /** Connects somebody of a new organization, beside a colleague of it. */
  async function connectedMember(role: "owner" | "admin" | "member" = "member", platform: SignedIn["role"] = "user") {
    const { id } = await makeOrganization(ctx);
    const audience = organizationAudience(id);
    const addMember = async (person: Person, memberRole: "owner" | "admin" | "member") => {
      const membership = await makeMember(ctx, id, person, memberRole);
      const { signedIn } = await makeSession(ctx, person, platform === "user" ? 1 : 2);
      return { signedIn, membershipId: membership.id, listener: await connect(signedIn, audience) };
    };
    const colleague = await addMember(await makePerson(ctx), "member");
    const person = await addMember(await makePerson(ctx, { role: platform }), role);
    const tells = () => announce({ audience, type: "ticket_event" });
    return { ...person, colleague: colleague.listener, audience, tells };
  }

  const memberships = organizationMemberships;
  test.each([
    [
      "is suspended",
      (id: string) => ctx.db.update(memberships).set({ status: "suspended" }).where(eq(memberships.id, id)),
    ],
    ["is removed", (id: string) => ctx.db.delete(memberships).where(eq(memberships.id, id))],
  ] as const)("whoever %s receives no more events, though their session goes on", async (_, end) => {
    const { membershipId, listener, colleague, tells } = await connectedMember();
    await end(membershipId);
    const seq = await tells();
    expect(await listener.closed).toBe(4403);
    expect(await received(colleague)).toEqual([seq]);
    expect(listener.frames).toEqual([]);
  });

  test("whoever is suspended before the hub answers gets no missed events", async () => {
    const { signedIn, membershipId, audience } = await connectedMember();
    const lastSeq = await storeEvent(ctx, { audience, type: "ticket_event" });
    await storeEvent(ctx, { audience, type: "ticket_event" });
    await ctx.db.update(memberships).set({ status: "suspended" }).where(eq(memberships.id, membershipId));
    const late = await connect(signedIn, audience);
    if (late.isOpen()) late.send({ type: "hello", lastSeq });
    expect(await late.closed).toBe(4403);
    expect(late.frames).toEqual([]);
  });

  test("whoever sets up no second factor in the time their organizations give is disconnected; whoever has one stays connected", async () => {
    const { signedIn, listener, colleague, audience, tells } = await connectedMember();
    const protectedPerson = await makePerson(ctx, { withTotp: true });
    // The requirement of another organization than the one they listen to.
    const { id } = await makeOrganization(ctx);
    for (const user_id of [signedIn.userId, protectedPerson.id])
      await ctx.db.insert(memberships).values({
        ...{ id: ctx.newId("mem"), organization_id: id, user_id, role: "member", status: "active" },
        ...{ joined_at: 0, created_at: 0, updated_at: 0 },
      });
    await makeMember(ctx, audience.slice("org:".length), protectedPerson, "member");
    const protectedListener = await connect((await makeSession(ctx, protectedPerson, 1)).signedIn, audience);
    const requireSince = (mfa_required_at: number) =>
      ctx.db.update(organizations).set({ mfa_required_at }).where(eq(organizations.id, id));
    await requireSince(Date.now() - MFA_GRACE + minutes(5));
    await runDurableObjectAlarm(hubOf(audience));
    const seq = await tells();
    expect(await received(listener)).toEqual([seq]);

    await requireSince(Date.now() - MFA_GRACE);
    await runDurableObjectAlarm(hubOf(audience));
    expect(await listener.closed).toBe(4403);
    const next = await tells();
    expect(await received(protectedListener, 2)).toEqual([seq, next]);
    expect(await received(colleague, 2)).toEqual([seq, next]);
    expect(listener.seqs()).toEqual([seq]);
    const late = await connect(signedIn, audience);
    expect(await late.closed).toBe(4403);
  });

  test("whoever becomes a member again where they were an admin still receives events of its tickets", async () => {
    const { membershipId, listener, tells } = await connectedMember("admin");
    await ctx.db.update(memberships).set({ role: "member" }).where(eq(memberships.id, membershipId));
    const seq = await tells();
    expect(await received(listener)).toEqual([seq]);
  });

  test.each([
    "user",
    "admin",
  ] as const)("nobody in it receives what only staff may know, not even a member who is %s", async (role) => {
    const { listener, colleague, audience, tells } = await connectedMember("owner", role);
    await storeEvent(ctx, { audience, type: "new_note" });
    await storeEvent(ctx, { audience, type: "mfa_event" });
    const seq = await tells();
    expect([await received(listener), await received(colleague)]).toEqual([[seq], [seq]]);
  });

  test.each(["somebody who is not a member", "staff"])("%s cannot listen to it", async (who) => {
    const organization = await makeOrganization(ctx);
    const person = await makePerson(ctx, { role: who === "staff" ? "admin" : "user" });
    const { signedIn } = await makeSession(ctx, person);
    const listener = await connect(signedIn, organizationAudience(organization.id));
    expect(await listener.closed).toBe(4403);
  });
});
