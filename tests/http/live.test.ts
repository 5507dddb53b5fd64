import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { organizationMemberships } from "~/db/schema/organizations";
import { findSignedIn } from "~/features/auth/queries.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as staffSocket } from "~/routes/_admin.admin.live";
import { action, loader as listLoader } from "~/routes/_admin.admin.notifications";
import { loader as clientSocket } from "~/routes/_portal.client.live";
import { derive, testContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSession, type Person } from "../support/factories";
import { hubOf, storeEvent } from "../support/live";
import { args, get, post, thrownBy } from "../support/requests";

const ORIGIN = "http://localhost:8787";
const UPGRADE = { Upgrade: "websocket", Origin: ORIGIN };

const ctx = testContext();

ctx.clock.set(Date.now());

type Context = typeof ctx;

/** Asks for a socket of an area, and returns the response, thrown or not. */
async function open(context: Context, path: string, headers: Record<string, string> = UPGRADE): Promise<Response> {
  const request = new Request(ORIGIN + path, { headers });
  const asked = args(context, request);
  try {
    return await (path.startsWith("/admin") ? staffSocket(asked) : clientSocket(asked));
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
  socket.accept();
  return { frames, close: () => socket.close(1000) };
}

async function signedInAs(role: Person["role"], aal: 1 | 2 = 2) {
  const person = await makePerson(ctx, { role });
  const { signedIn } = await makeSession(ctx, person, aal);
  return derive(ctx, { signedIn }) as Context & { signedIn: typeof signedIn };
}

describe("the live channel of staff", () => {
  test.each(["admin", "moderator"] as const)("opens for a signed-in %s", async (role) => {
    const response = await open(await signedInAs(role), "/admin/live");
    expect(response.status).toBe(101);
    socketOf(response).close();
  });

  test("answers a plain request with 426", async () => {
    const response = await open(await signedInAs("admin"), "/admin/live", { Origin: ORIGIN });
    expect([response.status, response.headers.get("Upgrade")]).toEqual([426, "websocket"]);
  });

  test("what a client says about itself never reaches the hub", async () => {
    const [person, victim] = [await signedInAs("moderator"), await signedInAs("admin")];
    const response = await open(person, "/admin/live", {
      ...UPGRADE,
      "X-Live-User": victim.signedIn.userId,
      "X-Live-Session": victim.signedIn.sessionHash,
      "X-Live-Role": "admin",
    });
    const { frames, close } = socketOf(response);
    await storeEvent(ctx, { type: "mfa_event" });
    await storeEvent(ctx, { actorId: person.signedIn.userId });
    const seq = await storeEvent(ctx, { actorId: victim.signedIn.userId });
    await hubOf("staff").notify();
    await expect.poll(() => frames).toMatchObject([{ seq }]);
    close();
  });
});

describe("the notifications page of staff", () => {
  const send = (context: Context, fields: Record<string, string>) =>
    action(args(context, post("/admin/notifications", { form_token: issueFormToken(context, "live"), ...fields })));
  const seqsFor = async (context: Context) => (await listLiveUpdates(context, 50)).updates.map(({ seq }) => seq);

  test("lists more than the panel holds", async () => {
    for (let count = 0; count < 6; count += 1) await storeEvent(ctx);
    const page = await (await listLoader(args(await signedInAs("admin"), get("/admin/notifications")))).json();
    expect(page.list?.updates.length).toBeGreaterThanOrEqual(6);
  });

  test("dismisses one entry and leads back to where the person was, or all", async () => {
    const me = await signedInAs("admin");
    const [first, second] = [await storeEvent(ctx), await storeEvent(ctx)];
    const answer = await send(me, { intent: "dismiss", seq: String(first), return_to: "/admin/submissions?page=2" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/submissions?page=2"]);
    expect(await seqsFor(me)).toContain(second);
    expect(await seqsFor(me)).not.toContain(first);
    const all = await send(me, { intent: "dismiss_all", through: String(second) });
    expect(all.headers.get("Location")).toBe("/admin/submissions");
    expect(await seqsFor(me)).toEqual([]);
  });

  test.each(["//evil.example", "/client"])("does not lead to %s", async (return_to) => {
    const answer = await send(await signedInAs("admin"), { intent: "dismiss", seq: "1", return_to });
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
    const rejected = await thrownBy(send(me, { intent: "dismiss", seq: String(seq), ...fields }));
    expect(rejected.status).toBe(400);
    expect(await seqsFor(me)).toContain(seq);
  });
});

/** Signs somebody in, as the sessions table says what they may do. */
async function enter(role: "owner" | "admin" | "member", status: "active" | "suspended" = "active") {
  const organization = await makeOrganization(ctx);
  const person = await makePerson(ctx);
  const membership = await makeMember(ctx, organization.id, person, role, status);
  const { signedIn } = await makeSession(ctx, person, 1);
  const current = async () => derive(ctx, { signedIn: await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now()) });
  const socket = async (query = "", headers?: Record<string, string>) =>
    open(await current(), `/client/live${query}`, headers);
  return { organizationId: organization.id, membershipId: membership.id, person, socket };
}

describe("the live channel of an organization", () => {
  test.each(["owner", "admin", "member"] as const)("opens for its %s, with its own events only", async (role) => {
    const { organizationId, socket } = await enter(role);
    const foreign = await enter("owner");
    const { frames, close } = socketOf(await socket(`?organization=${organizationId}`));
    await storeEvent(ctx);
    await storeEvent(ctx, { audience: organizationAudience(foreign.organizationId), type: "ticket_event" });
    const seq = await storeEvent(ctx, { audience: organizationAudience(organizationId), type: "ticket_event" });
    await hubOf(organizationAudience(organizationId)).notify();
    await expect.poll(() => frames.map((frame) => frame.seq)).toEqual([seq]);
    close();
  });

  test("does not open for whoever is suspended, belongs to none, or has been suspended since", async () => {
    const suspended = await enter("member", "suspended");
    expect((await suspended.socket()).status).toBe(403);
    expect((await open(await signedInAs("user", 1), "/client/live")).status).toBe(403);
    const { membershipId, socket } = await enter("member");
    expect((await socket("", { Origin: ORIGIN })).status).toBe(426);
    const suspend = ctx.db.update(organizationMemberships).set({ status: "suspended" });
    await suspend.where(eq(organizationMemberships.id, membershipId));
    expect((await socket()).status).toBe(403);
  });

  test("does not open for another organization, whether it exists, is one's own too, or not", async () => {
    const { person, organizationId, socket } = await enter("owner");
    const foreign = await enter("owner");
    const other = await makeOrganization(ctx, "Zebra Works");
    await makeMember(ctx, other.id, person, "member");
    for (const id of [foreign.organizationId, other.id, "org_missing", ""])
      expect((await socket(`?organization=${id}`)).status, id).toBe(404);
    socketOf(await socket(`?organization=${organizationId}`)).close();
  });
});

test.each([
  "https://evil.example",
  "http://localhost:8788",
  "http://localhost:8787.evil.example",
  "null",
  "",
  undefined,
])("no channel opens for a page of %j", async (origin) => {
  const headers = { Upgrade: "websocket", ...(origin === undefined ? {} : { Origin: origin }) };
  const { socket } = await enter("member");
  expect((await open(await signedInAs("admin"), "/admin/live", headers)).status).toBe(403);
  expect((await socket("", headers)).status).toBe(403);
});
