import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { organizationMemberships } from "~/db/schema/organizations";
import { findSignedIn } from "~/features/auth/queries.server";
import { loader } from "~/routes/_portal.client.live";
import { testContext } from "../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSession } from "../support/factories";
import { hubOf, storeEvent } from "../support/live";

const ORIGIN = "http://localhost:8787";
const ctx = testContext();
ctx.clock.set(Date.now());

const UPGRADE = { Upgrade: "websocket", Origin: ORIGIN };

/** Signs somebody in, as the sessions table says what they may do. */
async function enter(role: "owner" | "admin" | "member", status: "active" | "suspended" = "active") {
  const organization = await makeOrganization(ctx);
  const person = await makePerson(ctx);
  const membership = await makeMember(ctx, organization.id, person, role, status);
  const { signedIn } = await makeSession(ctx, person, 1);
  const current = async () =>
    Object.assign(as(ctx, person), { signedIn: await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now()) });
  return { organizationId: organization.id, membershipId: membership.id, person, current };
}

type Context = typeof ctx;

async function open(context: Context, headers: Record<string, string> = UPGRADE, query = ""): Promise<Response> {
  const request = new Request(`${ORIGIN}/client/live${query}`, { headers });
  const asked = Object.assign(context, { request: { ...context.request, url: new URL(request.url) } });
  try {
    return await loader({ context: asked, request, params: {} });
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

/** Accepts the socket of a response and collects what arrives. */
function socketOf(response: Response) {
  const socket = response.webSocket;
  if (!socket) throw new Error(`No socket: ${response.status}`);
  const frames: { seq?: number }[] = [];
  socket.addEventListener("message", (event) => {
    frames.push(JSON.parse(String(event.data)) as { seq?: number });
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => resolve(code));
  });
  socket.accept();
  return { frames, closed, close: () => socket.close(1000) };
}

describe("the live channel of an organization", () => {
  test.each(["owner", "admin", "member"] as const)("opens for its %s, with its own events only", async (role) => {
    const { organizationId, current } = await enter(role);
    const foreign = await enter("owner");
    const { frames, close } = socketOf(await open(await current(), UPGRADE, `?organization=${organizationId}`));
    await storeEvent(ctx);
    await storeEvent(ctx, { audience: organizationAudience(foreign.organizationId), type: "ticket_event" });
    const seq = await storeEvent(ctx, { audience: organizationAudience(organizationId), type: "ticket_event" });
    await hubOf(organizationAudience(organizationId)).notify();
    await expect.poll(() => frames.map((frame) => frame.seq)).toEqual([seq]);
    close();
  });

  test("does not open for whoever is suspended, belongs to none, or has been suspended since", async () => {
    const suspended = await enter("member", "suspended");
    expect((await open(await suspended.current())).status).toBe(403);
    const alone = await makePerson(ctx);
    const { signedIn } = await makeSession(ctx, alone, 1);
    expect((await open(Object.assign(as(ctx, alone), { signedIn }))).status).toBe(403);
    const { membershipId, current } = await enter("member");
    expect((await open(await current(), { Origin: ORIGIN })).status).toBe(426);
    await ctx.db
      .update(organizationMemberships)
      .set({ status: "suspended" })
      .where(eq(organizationMemberships.id, membershipId));
    expect((await open(await current())).status).toBe(403);
  });

  test("does not open for another organization, whether it exists, is one's own too, or not", async () => {
    const { person, organizationId, current } = await enter("owner");
    const foreign = await enter("owner");
    const other = await makeOrganization(ctx, "Zebra Works");
    await makeMember(ctx, other.id, person, "member");
    for (const id of [foreign.organizationId, other.id, "org_missing", ""]) {
      expect((await open(await current(), UPGRADE, `?organization=${id}`)).status, id).toBe(404);
    }
    const own = await open(await current(), UPGRADE, `?organization=${organizationId}`);
    socketOf(own).close();
  });

  test.each(["https://evil.example", "null", ""])("does not open for a page of %j", async (origin) => {
    const { current } = await enter("member");
    expect((await open(await current(), { ...UPGRADE, Origin: origin })).status).toBe(403);
  });
});
