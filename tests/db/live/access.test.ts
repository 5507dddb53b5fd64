import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { commit } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import { accountOf } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  disableTotp,
  findEnrollment,
} from "~/features/auth/factor-commands.server";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { findLink, prepareLink } from "~/features/auth/mail-links.server";
import {
  endAllSessions,
  endSession,
  endSessionsByLink,
  revokeOtherSessions,
  revokeSession,
} from "~/features/auth/sessions.server";
import { changePassword, resetPassword } from "~/features/auth/set-password.server";
import { deleteOrganization } from "~/features/organization-management/deletion.server";
import { livePublisher } from "~/live/publish.server";
import type { SignedIn } from "~/platform/context.server";
import type { LinkPurpose } from "~/platform/cookies.server";
import { bindings, derive, type TestContext, testContext } from "../../support/context";
import {
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  PASSWORD,
  type Person,
  TOTP_SECRET,
} from "../../support/factories";
import {
  eventually,
  hubOf,
  type Listener,
  listen,
  liveWorld,
  openSockets,
  received,
  storeEvent,
} from "../../support/live";
import { administrator, newOrganization, nonce } from "../../support/organizations";

const { ctx, connect, connected, announce } = liveWorld();

describe("who hears an event", () => {
  const changeSession =
    (change: Partial<typeof sessions.$inferInsert>) =>
    async ({ sessionHash }: SignedIn) =>
      ctx.db.update(sessions).set(change).where(eq(sessions.id_hash, sessionHash));

  const changeUser =
    (change: object) =>
    async ({ userId }: SignedIn) =>
      ctx.db.update(users).set(change).where(eq(users.id, userId));

  /** Lists everything that ends a session, as changes in the sessions or users table. */
  const ENDINGS = {
    "a session that was signed out": changeSession({ revoked_at: ctx.now() }),
    "a session that was idle for too long": changeSession({ idle_expires_at: ctx.now() - 1 }),
    "a session past its absolute expiry": changeSession({ abs_expires_at: ctx.now() - 1 }),
    "a person signed out everywhere": changeUser({ auth_epoch: sql`${users.auth_epoch} + 1` }),
    "a deactivated account": changeUser({ status: "deactivated" }),
  };

  describe("before each event", () => {
    test("a demoted administrator's socket closes before the next event", async () => {
      const [demoted, witness] = [await connected({ role: "admin" }), await connected({ role: "admin" })];
      await ctx.db.update(userRoles).set({ role: "user" }).where(eq(userRoles.user_id, demoted.userId));
      const seq = await announce();
      expect(await demoted.listener.closed).toBe(4401);
      expect(await received(witness.listener)).toEqual([seq]);
      expect(demoted.listener.frames).toEqual([]);
    });

    test("an administrator who became a technician receives no more sign-in events", async () => {
      const [person, witness] = [await connected({ role: "admin" }), await connected({ role: "admin" })];
      await ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, person.userId));
      const seq = await announce({ type: "mfa_event" });
      expect(await received(witness.listener)).toEqual([seq]);
      expect(person.listener.frames).toEqual([]);
    });

    test.each(Object.entries(ENDINGS))("%s receives no more events", async (_name, end) => {
      const person = await connected();
      await end(person);
      await announce();
      expect(await person.listener.closed).toBe(4401);
      expect(person.listener.frames).toEqual([]);
    });
  });

  describe("when a socket connects", () => {
    test.each(Object.entries(ENDINGS))("%s gets no missed events, even if it passed the guard", async (_name, end) => {
      const lastSeq = await storeEvent(ctx);
      await storeEvent(ctx);
      const { signedIn } = await makeSession(ctx, await makePerson(ctx, { role: "admin" }));
      await end(signedIn);
      const listener = await listen("staff", signedIn);
      if (listener.isOpen()) listener.send({ type: "hello", lastSeq });
      expect(await listener.closed).toBe(4401);
      expect(listener.frames).toEqual([]);
    });

    test("a session without a second factor may not listen", async () => {
      const { listener } = await connected({ role: "admin" }, 1);
      expect(await listener.closed).toBe(4403);
    });

    test("a hello gets no events after the session has ended", async () => {
      const lastSeq = await storeEvent(ctx);
      const person = await connected();
      await storeEvent(ctx);
      await ENDINGS["a person signed out everywhere"](person);
      person.listener.send({ type: "hello", lastSeq });
      expect(await person.listener.closed).toBe(4401);
      expect(person.listener.frames).toEqual([]);
    });
  });

  describe("a disconnect", () => {
    test.each(["person", "session"] as const)("closes the sockets of a %s at once", async (whose) => {
      const [target, other] = [await connected(), await connected()];
      await hubOf("staff").disconnect(whose === "person" ? `u:${target.userId}` : `s:${target.sessionHash}`);
      expect(await target.listener.closed).toBe(4401);
      expect(other.listener.isOpen()).toBe(true);
    });
  });

  describe("the hub's alarm", () => {
    test("closes the socket of a session that has ended, even without an event", async () => {
      const person = await connected();
      await ENDINGS["a session that was idle for too long"](person);
      expect(await runDurableObjectAlarm(hubOf("staff"))).toBe(true);
      expect(await person.listener.closed).toBe(4401);
    });

    test("delivers events of which the hub was not notified", async () => {
      const { listener } = await connected();
      const seq = await storeEvent(ctx);
      await runDurableObjectAlarm(hubOf("staff"));
      expect(await received(listener)).toEqual([seq]);
    });

    test("is scheduled only while somebody is connected", async () => {
      const { listener } = await connected();
      const alarmOf = () => runInDurableObject(hubOf("staff"), (_hub, state) => state.storage.getAlarm());
      expect(await alarmOf()).toBeGreaterThan(Date.now());
      await runDurableObjectAlarm(hubOf("staff"));
      expect(await alarmOf()).toBeGreaterThan(Date.now());
      listener.close();
      await listener.closed;
      await eventually(async () => (await alarmOf()) === null);
      expect(await alarmOf()).toBeNull();
    });
  });
});

describe("what ends a socket at once", () => {
  /*
   * A command that ends sessions closes their sockets itself and immediately, without an event or an alarm of the hub.
   */

  const LINK_COOKIES: Partial<Record<LinkPurpose, string>> = { reset: "__Host-rst", not_me: "__Host-nme" };

  let ctx: TestContext;

  let person: Person;

  /** Holds the context of the browser the person uses. */
  let own: TestContext;

  let signedIn: SignedIn;

  let other: SignedIn;

  /** Holds the socket of another session. */
  let socket: Listener;

  beforeEach(async () => {
    ctx = testContext({ live: livePublisher(bindings.LIVE) });
    // The hub uses the real clock.
    ctx.clock.set(Date.now());
    person = await makePerson(ctx, { role: "admin", withPassword: true, withTotp: true });
    const session = await makeSession(ctx, person);
    ({ signedIn } = session);
    own = derive(ctx, {
      signedIn,
      request: { ...ctx.request, cookies: new Map([["__Host-sid", session.sessionId]]) },
    });
    ({ signedIn: other } = await makeSession(ctx, person));
    socket = await listen("staff", other);
  });

  afterEach(() => socket.close());

  const typed = () => ({ password: PASSWORD, method: "totp" as const, code: codeAt(TOTP_SECRET, stepAt(ctx.now())) });

  /** Opens a link of a mail and returns what it stands for. */
  async function opened(purpose: LinkPurpose) {
    const link = prepareLink(ctx, purpose, { userId: person.id, email: person.email });
    await commit(ctx.db, link.statements);
    const token = new URL(link.path, "http://localhost:8787").searchParams.get("token") ?? "";
    const browser = { ...ctx.request, cookies: new Map([[LINK_COOKIES[purpose] ?? "", token]]) };
    const found = await findLink(derive(ctx, { request: browser }), purpose);
    if (!found) throw new Error("The link should open");
    return found;
  }

  async function setUpAnother() {
    await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
    const { secret } = (await findEnrollment(ctx, { userId: person.id, email: person.email })) ?? { secret: "" };
    return completeEnrollment(own, { person: await accountOf(ctx, signedIn), code: codeAt(secret, stepAt(ctx.now())) });
  }

  const ENDINGS: [string, () => Promise<unknown>][] = [
    ["signing out in that browser", () => endSession(derive(ctx, { signedIn: other }))],
    ["ending that session", () => revokeSession(own, signedIn, other.sessionHash)],
    ["ending all other sessions", () => revokeOtherSessions(own, signedIn)],
    ["signing out everywhere", () => endAllSessions(own, signedIn)],
    ["This wasn't me", async () => endSessionsByLink(ctx, await opened("not_me"))],
    ["a reset of the password", async () => resetPassword(ctx, await opened("reset"), "Brand!New8horse")],
    [
      "a change of the password",
      () => changePassword(own, signedIn, { current: PASSWORD, next: "Brand!New8horse", staySignedIn: true }),
    ],
    ["switching the second factor off", () => disableTotp(own, signedIn, typed())],
    ["another authenticator", setUpAnother],
  ];

  test.each(ENDINGS)("%s closes the live socket of the session it ends", async (_, end) => {
    expect(socket.isOpen()).toBe(true);
    await end();
    await ctx.settle();
    expect(await socket.closed).toBe(4401);
  });

  test("ending one session does not close the sockets of the others", async () => {
    const { signedIn: third } = await makeSession(ctx, person);
    const kept = await listen("staff", third);
    await revokeSession(own, signedIn, other.sessionHash);
    await ctx.settle();
    expect(await socket.closed).toBe(4401);
    expect(kept.isOpen()).toBe(true);
    kept.close();
  });

  test("signing out everywhere closes the sockets on the staff hub and on the hub of every organization", async () => {
    const organizations = [await makeOrganization(ctx), await makeOrganization(ctx)];
    await makeMember(ctx, organizations[0]?.id ?? "", person, "owner");
    await makeMember(ctx, organizations[1]?.id ?? "", person, "member");
    const sockets = await Promise.all(organizations.map(({ id }) => listen(organizationAudience(id), other)));
    await endAllSessions(own, signedIn);
    await ctx.settle();
    expect(await Promise.all([socket, ...sockets].map(({ closed }) => closed))).toEqual([4401, 4401, 4401]);
  });
});

test("when an organization is deleted its hub closes the sockets of its people at once, and no others", async () => {
  const world = testContext({ live: livePublisher(bindings.LIVE) });
  // The hub uses the real clock.
  world.clock.set(Date.now());
  const { base, ctx, actor } = await administrator(world);
  const [id, otherId] = [await newOrganization(ctx, actor), await newOrganization(ctx, actor)];
  const [audience, other] = [organizationAudience(id), organizationAudience(otherId)];
  const join = async (organizationId: string, role: "owner" | "admin" | "member") => {
    const person = await makePerson(base);
    await makeMember(base, organizationId, person, role);
    const { signedIn } = await makeSession(base, person, 1);
    return connect(signedIn, organizationAudience(organizationId));
  };
  const inside = [await join(id, "owner"), await join(id, "admin"), await join(id, "member")];
  const bystander = await join(otherId, "member");
  await storeEvent(base, { audience, type: "ticket_event" });

  expect(await deleteOrganization(ctx, actor, { organizationId: id, version: 1, nonce: nonce() })).toMatchObject({
    ok: true,
  });
  await base.settle();
  expect(await Promise.all(inside.map(({ closed }) => closed))).toEqual([4403, 4403, 4403]);
  expect(await openSockets(audience)).toEqual([]);
  expect(bystander.isOpen()).toBe(true);
  expect(await openSockets(other)).toHaveLength(1);
});
