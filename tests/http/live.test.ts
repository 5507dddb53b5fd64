import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { organizationMemberships } from "~/db/schema/organizations";
import { findSignedIn } from "~/features/auth/queries.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader } from "~/routes/_admin.admin.live";
import { action, loader as listLoader } from "~/routes/_admin.admin.notifications";
import { loader as openSocket } from "~/routes/_portal.client.live";
import { testContext } from "../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSession, type Person } from "../support/factories";
import { hubOf, storeEvent } from "../support/live";
import { thrownBy } from "../support/requests";

describe("the channel of staff", () => {
  const ORIGIN = "http://localhost:8787";

  const ctx = testContext();

  ctx.clock.set(Date.now());

  async function signedInAs(role: Person["role"], aal: 1 | 2 = 2) {
    const person = await makePerson(ctx, { role });
    const { signedIn } = await makeSession(ctx, person, aal);
    return Object.assign(as(ctx, person), { signedIn });
  }

  type Context = typeof ctx;

  async function open(context: Context, headers: Record<string, string>): Promise<Response> {
    const request = new Request(`${ORIGIN}/admin/live`, { headers });
    try {
      return await loader({ context, request, params: {} });
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    }
  }

  const UPGRADE = { Upgrade: "websocket", Origin: ORIGIN };

  describe("the live channel", () => {
    test.each(["admin", "moderator"] as const)("opens for a signed-in %s", async (role) => {
      const response = await open(await signedInAs(role), UPGRADE);
      expect(response.status).toBe(101);
      response.webSocket?.accept();
      response.webSocket?.close(1000);
    });

    test("does not open for a client", async () => {
      expect((await open(await signedInAs("user"), UPGRADE)).status).toBe(403);
    });

    test("does not open for staff without a second factor", async () => {
      expect((await open(await signedInAs("admin", 1), UPGRADE)).status).toBe(303);
    });

    test("answers a plain request with 426", async () => {
      const response = await open(await signedInAs("admin"), { Origin: ORIGIN });
      expect(response.status).toBe(426);
      expect(response.headers.get("Upgrade")).toBe("websocket");
    });

    test.each([
      "https://evil.example",
      "http://localhost:8788",
      "http://localhost:8787.evil.example",
      "null",
      "",
    ])("does not open for a page of %j", async (origin) => {
      expect((await open(await signedInAs("admin"), { ...UPGRADE, Origin: origin })).status).toBe(403);
    });

    test("does not open without an origin", async () => {
      expect((await open(await signedInAs("admin"), { Upgrade: "websocket" })).status).toBe(403);
    });

    test("what a client says about itself never reaches the hub", async () => {
      const [person, victim] = [await signedInAs("moderator"), await signedInAs("admin")];
      const response = await open(person, {
        ...UPGRADE,
        "X-Live-User": victim.signedIn.userId,
        "X-Live-Session": victim.signedIn.sessionHash,
        "X-Live-Role": "admin",
      });
      const socket = response.webSocket;
      if (!socket) throw new Error("No socket");
      const frames: unknown[] = [];
      socket.addEventListener("message", (event) => {
        frames.push(event.data);
      });
      socket.accept();
      await storeEvent(ctx, { type: "mfa_event" });
      await storeEvent(ctx, { actorId: person.signedIn.userId });
      const seq = await storeEvent(ctx, { actorId: victim.signedIn.userId });
      await hubOf("staff").notify();
      await expect.poll(() => frames.length).toBe(1);
      expect(JSON.parse(String(frames[0]))).toMatchObject({ seq });
      socket.close(1000);
    });
  });

  describe("the notifications page", () => {
    const post = (context: Context, fields: Record<string, string>) => {
      const body = new URLSearchParams({ form_token: issueFormToken(context, "live"), ...fields });
      return action({
        context,
        request: new Request(`${ORIGIN}/admin/notifications`, { method: "POST", body }),
        params: {},
      });
    };
    const seqsFor = async (context: Context) => (await listLiveUpdates(context, 50)).updates.map(({ seq }) => seq);

    test("lists more than the panel holds", async () => {
      const me = await signedInAs("admin");
      for (let count = 0; count < 6; count += 1) await storeEvent(ctx);
      const response = await listLoader({
        context: me,
        request: new Request(`${ORIGIN}/admin/notifications`),
        params: {},
      });
      expect((await response.json()).list?.updates.length).toBeGreaterThanOrEqual(6);
    });

    test("dismisses one entry and leads back to where the person was", async () => {
      const me = await signedInAs("admin");
      const [first, second] = [await storeEvent(ctx), await storeEvent(ctx)];
      const answer = await post(me, { intent: "dismiss", seq: String(first), return_to: "/admin/submissions?page=2" });
      expect(answer.status).toBe(303);
      expect(answer.headers.get("Location")).toBe("/admin/submissions?page=2");
      expect(await seqsFor(me)).toContain(second);
      expect(await seqsFor(me)).not.toContain(first);
    });

    test("dismisses all", async () => {
      const me = await signedInAs("admin");
      const through = await storeEvent(ctx);
      const answer = await post(me, { intent: "dismiss_all", through: String(through) });
      expect(answer.headers.get("Location")).toBe("/admin/submissions");
      expect(await seqsFor(me)).toEqual([]);
    });

    test.each([
      "https://evil.example/",
      "//evil.example",
      "/client",
      "/admin/..//evil.example",
    ])("does not lead to %s", async (return_to) => {
      const answer = await post(await signedInAs("admin"), { intent: "dismiss", seq: "1", return_to });
      expect(answer.headers.get("Location")).toBe("/admin/submissions");
    });

    test.each([
      [{ form_token: "v1.1.live.0.x.y" }],
      [{ form_token: "" }],
      [{ intent: "dismiss", seq: "1; drop table" }],
      [{ intent: "forget" }],
    ])("changes nothing when sent %j", async (fields: Record<string, string>) => {
      const me = await signedInAs("admin");
      const seq = await storeEvent(ctx);
      const rejected = await thrownBy(post(me, { intent: "dismiss", seq: String(seq), ...fields }));
      expect(rejected.status).toBe(400);
      expect(await seqsFor(me)).toContain(seq);
    });

    test("is closed to clients", async () => {
      await expect(post(await signedInAs("user"), { intent: "dismiss", seq: "1" })).rejects.toMatchObject({
        status: 403,
      });
    });
  });
});

describe("sockets of the portal", () => {
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
      return await openSocket({ context: asked, request, params: {} });
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
});
