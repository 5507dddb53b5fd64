import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { reserveAttempt } from "~/features/auth/factors.server";
import { findSignedIn, listOpenSessions } from "~/features/auth/queries.server";
import {
  endSession,
  revokeOtherSessions,
  revokeSession,
  startSession,
  touchSession,
  withDevices,
} from "~/features/auth/sessions.server";
import { days, hours, minutes, seconds } from "~/lib/time";
import { socketTag } from "~/live/sockets.server";
import { sessionIdOf } from "~/platform/cookies.server";
import { hashToken, newToken } from "~/platform/crypto.server";
import { keepSessionData, sessionDataKey } from "~/platform/session-data.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson, makeSession, type Person } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

describe("sessions", () => {
  let ctx: TestContext;

  beforeEach(() => {
    ctx = testContext();
  });

  const cookieOf = (name: string) => ctx.cookiesSet.findLast((header) => header.startsWith(`${name}=`)) ?? "";

  /** Signs in and returns the session id. */
  async function signedIn(person: Person): Promise<string> {
    expect(await startSession(ctx, proven(person))).toBe(true);
    return /^__Host-sid=([\w-]{43});/.exec(cookieOf("__Host-sid"))?.[1] ?? "";
  }

  const rowOf = async (id: string) =>
    (
      await ctx.db
        .select()
        .from(sessions)
        .where(sql`id_hash = ${hashToken(id)}`)
    )[0];
  const revoke = (id: string) =>
    ctx.db
      .update(sessions)
      .set({ revoked_at: ctx.now() })
      .where(sql`id_hash = ${hashToken(id)}`);
  const lookUp = (sessionId: string) => findSignedIn(ctx.db, hashToken(sessionId), ctx.now());

  /** Returns the same context with a session cookie. */
  async function withSession(person: Person) {
    const sessionId = await signedIn(person);
    const context = derive(ctx, {
      request: { ...ctx.request, cookies: new Map([["__Host-sid", sessionId]]) },
      signedIn: await lookUp(sessionId),
    });
    return { sessionId, context };
  }

  test.each([
    ["203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:12:34:56::78", "2001:db8:12::/48"],
  ])("of the address %s a session keeps and lists only the network", async (ip, network) => {
    const person = await makePerson(ctx);
    expect(await startSession(derive(ctx, { request: { ...ctx.request, ip } }), proven(person))).toBe(true);
    await ctx.settle();
    const listed = await listOpenSessions(ctx.db, person.id, ctx.now());
    const stored = await ctx.db.select().from(sessions).where(eq(sessions.user_id, person.id));
    expect(JSON.stringify(listed)).toContain(network);
    expect(JSON.stringify([listed, stored])).not.toContain(ip);
  });

  test("a list of sessions names their browsers, and says so where KV has no label of one", async () => {
    const person = await makePerson(ctx);
    const id = await signedIn(person);
    await ctx.settle();
    await makeSession(ctx, person);
    const open = await listOpenSessions(ctx.db, person.id, ctx.now());
    const devices = new Map((await withDevices(ctx, open)).map(({ sessionHash, device }) => [sessionHash, device]));
    expect(devices.get(hashToken(id))).toBe("Chrome on Linux");
    expect([...devices.values()].sort()).toEqual(["A browser", "Chrome on Linux"]);
    const kv = new Proxy(ctx.kv, { get: () => () => Promise.reject(new Error("KV is away")) });
    for (const { device } of await withDevices({ ...ctx, kv }, open)) expect(device).toBe("A browser");
  });

  describe("a session is invalid at once, although the label of its browser is still in KV,", () => {
    const setUser = (changes: Partial<typeof users.$inferInsert>) => (person: Person) =>
      ctx.db.update(users).set(changes).where(eq(users.id, person.id));
    const endings: [string, (person: Person, sessionId: string) => Promise<unknown>][] = [
      ["when it is revoked", (_, id) => revoke(id)],
      ["when the person's epoch moves", setUser({ auth_epoch: 1 })],
      ["when the account is deactivated", setUser({ status: "deactivated" })],
      ["when the account is gone", (person) => ctx.db.delete(users).where(eq(users.id, person.id))],
    ];
    test.each(endings)("%s", async (_, end) => {
      const person = await makePerson(ctx);
      const id = await signedIn(person);
      await ctx.settle();
      expect(await lookUp(id)).toMatchObject({ userId: person.id, email: person.email, role: "user", aal: 1 });
      await end(person, id);
      expect(await ctx.kv.get(`sess:${hashToken(id)}`)).not.toBeNull();
      expect(await lookUp(id)).toBeNull();
    });
  });

  describe("a session expires", () => {
    test.each([
      ["admin", minutes(30)],
      ["moderator", minutes(30)],
      ["user", hours(24)],
    ] as const)("for a %s, without a request, after %d ms", async (role, idle) => {
      const id = await signedIn(await makePerson(ctx, { role }));
      ctx.clock.advance(idle - 1);
      expect(await lookUp(id)).not.toBeNull();
      ctx.clock.advance(1);
      expect(await lookUp(id)).toBeNull();
    });

    test.each([
      ["admin", minutes(20), hours(12)],
      ["user", hours(20), days(14)],
    ] as const)("for a %s, however busy, at its absolute end", async (role, pause, absolute) => {
      const start = ctx.now();
      const { sessionId, context } = await withSession(await makePerson(ctx, { role }));
      while (ctx.now() + pause < start + absolute) {
        ctx.clock.advance(pause);
        context.signedIn = await lookUp(sessionId);
        expect(context.signedIn).not.toBeNull();
        touchSession(context);
        await ctx.settle();
      }
      ctx.clock.set(start + absolute - 1);
      expect(await lookUp(sessionId)).not.toBeNull();
      ctx.clock.set(start + absolute);
      expect(await lookUp(sessionId)).toBeNull();
    });
  });

  describe("a session is extended", () => {
    test("at most every five minutes, and once per page however many loaders it has", async () => {
      const { sessionId, context } = await withSession(await makePerson(ctx));
      const before = await rowOf(sessionId);
      ctx.clock.advance(minutes(5) - 1);
      touchSession(context);
      await ctx.settle();
      expect(await rowOf(sessionId)).toEqual(before);
      ctx.clock.advance(1);
      touchSession(context);
      const queries = ctx.cost.queries;
      touchSession(context);
      await ctx.settle();
      expect(ctx.cost.queries).toBe(queries + 1);
      const extended = { last_seen_at: ctx.now(), idle_expires_at: ctx.now() + hours(24) };
      expect(await rowOf(sessionId)).toMatchObject(extended);
    });

    test("never once it has ended", async () => {
      const { sessionId, context } = await withSession(await makePerson(ctx));
      ctx.clock.advance(minutes(10));
      await revoke(sessionId);
      const before = await rowOf(sessionId);
      touchSession(context);
      await ctx.settle();
      expect(await rowOf(sessionId)).toEqual(before);
    });
  });

  describe("session fixation is not possible", () => {
    test("an id we did not issue is not used", async () => {
      const planted = newToken();
      ctx.request = { ...ctx.request, cookies: new Map([["__Host-sid", planted]]) };
      const id = await signedIn(await makePerson(ctx));
      expect(id).not.toBe(planted);
      expect(await lookUp(planted)).toBeNull();
    });

    test("the previous session of a browser ends with the sign-in, even if it was another person's", async () => {
      const attacker = await withSession(await makePerson(ctx));
      const victim = await makePerson(ctx);
      await startSession(attacker.context, proven(victim));
      await ctx.settle();
      expect(await lookUp(attacker.sessionId)).toBeNull();
      expect(await ctx.kv.get(`sess:${hashToken(attacker.sessionId)}`)).toBeNull();
      expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `s:${hashToken(attacker.sessionId)}` });
      expect(await listOpenSessions(ctx.db, victim.id, ctx.now())).toHaveLength(1);
    });

    test.each([
      "",
      "short",
      "x".repeat(44),
      `${"x".repeat(42)}%`,
      "' OR 1=1 --".padEnd(43, "x"),
    ])("a cookie reading %j is dropped before any look-up", (value) => {
      ctx.request = { ...ctx.request, cookies: new Map([["__Host-sid", value]]) };
      expect(sessionIdOf(ctx)).toBeNull();
    });
  });

  test("no session starts when the account changed after the password check", async () => {
    const person = await makePerson(ctx);
    await ctx.db.update(users).set({ auth_epoch: 1 }).where(eq(users.id, person.id));
    expect(await startSession(ctx, proven(person))).toBe(false);
    expect(await listOpenSessions(ctx.db, person.id, ctx.now())).toEqual([]);
    expect(ctx.cookiesSet).toEqual([]);
  });

  test("the eleventh session ends the oldest one, and ended sessions do not count", async () => {
    const person = await makePerson(ctx);
    const ids: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      ids.push(await signedIn(person));
      ctx.clock.advance(seconds(1));
    }
    expect(await lookUp(ids[0] ?? "")).not.toBeNull();
    ids.push(await signedIn(person));
    expect(await lookUp(ids[0] ?? "")).toBeNull();
    for (const id of ids.slice(1)) expect(await lookUp(id)).not.toBeNull();
    expect(await listOpenSessions(ctx.db, person.id, ctx.now())).toHaveLength(10);
  });

  test("of eleven sign-ins at the same time ten sessions are left, including the newest", async () => {
    const person = await makePerson(ctx);
    let newest = "";
    for (let index = 0; index < 11; index += 1) newest = await signedIn(person);
    expect(await listOpenSessions(ctx.db, person.id, ctx.now())).toHaveLength(10);
    expect(await lookUp(newest)).not.toBeNull();
  });

  test("on a shared browser the session that is replaced is disconnected on the hubs of its own person", async () => {
    const [first, second] = [await makePerson(ctx, { role: "admin" }), await makePerson(ctx)];
    const organization = await makeOrganization(ctx);
    await makeMember(ctx, organization.id, first, "member");
    const session = await makeSession(ctx, first);
    const disconnected: [string, string][] = [];
    const browser = derive(ctx, {
      signedIn: session.signedIn,
      request: { ...ctx.request, cookies: new Map([["__Host-sid", session.sessionId]]) },
      live: { ...ctx.live, disconnect: async (audience, tag) => void disconnected.push([audience, tag]) },
    });
    expect(await startSession(browser, proven(second))).toBe(true);
    await ctx.settle();
    const tag = socketTag.session(session.signedIn.sessionHash);
    const audiences = [organizationAudience(organization.id), "staff"];
    expect(disconnected.sort()).toEqual(audiences.map((audience) => [audience, tag]).sort());
  });

  async function signedInBrowser() {
    const ctx = testContext();
    const person = await makePerson(ctx);
    const { signedIn } = await makeSession(ctx, person);
    await keepSessionData(ctx, sessionDataKey("sess", signedIn.sessionHash), "Chrome on Linux", hours(12));
    const browser = derive(ctx, { signedIn });
    return { ctx, browser, person, sessionHash: signedIn.sessionHash };
  }

  test("signing out ends the session of this browser only, deletes the label of its browser, closes its sockets and writes an audit entry", async () => {
    const { ctx, browser, person, sessionHash } = await signedInBrowser();
    const elsewhere = await makeSession(ctx, person);
    expect(await ctx.kv.get(`sess:${sessionHash}`)).not.toBeNull();
    await endSession(browser);
    await ctx.settle();
    expect(await findSignedIn(ctx.db, sessionHash, ctx.now())).toBeNull();
    expect(await findSignedIn(ctx.db, elsewhere.signedIn.sessionHash, ctx.now())).not.toBeNull();
    expect(await ctx.kv.get(`sess:${sessionHash}`)).toBeNull();
    expect(ctx.disconnected).toEqual([{ audience: "staff", tag: `s:${sessionHash}` }]);
    expect(ctx.cookiesSet).toContain("__Host-sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
    const isEnd = and(eq(auditEvents.actor_id, person.id), eq(auditEvents.action, "session.ended"));
    expect(await ctx.db.select().from(auditEvents).where(isEnd)).toMatchObject([
      { subject_type: "user", subject_id: person.id, meta_json: JSON.stringify({ session: sessionHash }) },
    ]);
  });

  test("the label of a browser is deleted as well when its session is revoked from another one", async () => {
    const { ctx, person, sessionHash } = await signedInBrowser();
    const { signedIn } = await makeSession(ctx, person);
    expect(await revokeSession(derive(ctx, { signedIn }), signedIn, sessionHash)).toBe(true);
    await ctx.settle();
    expect(await ctx.kv.get(`sess:${sessionHash}`)).toBeNull();

    const third = (await makeSession(ctx, person)).signedIn.sessionHash;
    await keepSessionData(ctx, sessionDataKey("sess", third), "Firefox on Linux", hours(12));
    await revokeOtherSessions(derive(ctx, { signedIn }), signedIn);
    await ctx.settle();
    expect(await ctx.kv.get(`sess:${third}`)).toBeNull();
  });

  test("it fails when the sessions table cannot be written", async () => {
    const { ctx, browser, sessionHash } = await signedInBrowser();
    const away = () => Promise.reject(new Error("D1_ERROR: overloaded"));
    const broken = derive(browser, {
      db: new Proxy(ctx.db, { get: (db, name) => (name === "batch" ? away : Reflect.get(db, name)) }),
    });
    await expect(endSession(broken)).rejects.toThrow("overloaded");
    expect(ctx.cookiesSet).toEqual([]);
    expect(await findSignedIn(ctx.db, sessionHash, ctx.now())).not.toBeNull();
  });

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
});

describe("changes of a role", () => {
  let ctx: TestContext;

  beforeEach(() => {
    ctx = testContext();
  });

  const alive = async (sessionHash: string) => (await findSignedIn(ctx.db, sessionHash, ctx.now())) !== null;

  type RoleChange = [string, Person["role"], (person: Person) => Promise<unknown>];

  const setRole = (role: "admin" | "user") => (person: Person) =>
    ctx.db.update(userRoles).set({ role }).where(eq(userRoles.user_id, person.id));
  const CHANGES: RoleChange[] = [
    ["is given one", "user", ({ id }) => ctx.db.insert(userRoles).values({ user_id: id, role: "moderator" })],
    ["gets a higher one", "moderator", setRole("admin")],
    ["gets a lower one", "admin", setRole("user")],
    ["loses it", "admin", ({ id }) => ctx.db.delete(userRoles).where(eq(userRoles.user_id, id))],
    [
      "gets another one in place of it",
      "admin",
      ({ id }) => ctx.db.run(sql`insert or replace into user_roles(user_id, role) values (${id}, 'user')`),
    ],
    [
      "gets one that is written if there is none",
      "moderator",
      ({ id }) =>
        ctx.db
          .insert(userRoles)
          .values({ user_id: id, role: "admin" })
          .onConflictDoUpdate({ target: userRoles.user_id, set: { role: "admin" } }),
    ],
  ];

  describe("every session and every begun sign-in of a person ends when the person", () => {
    test.each(CHANGES)("%s", async (_, role, change) => {
      const person = await makePerson(ctx, { role });
      const { signedIn } = await makeSession(ctx, person);
      const challenge = hashToken(await challenged(ctx, proven(person)));
      const other = await makeSession(ctx, await makePerson(ctx, { role }));
      expect(await alive(signedIn.sessionHash)).toBe(true);
      await change(person);
      expect(await alive(signedIn.sessionHash)).toBe(false);
      expect(await reserveAttempt(ctx, challenge, "verify")).toBeNull();
      expect(await alive(other.signedIn.sessionHash)).toBe(true);
    });
  });

  test("writing the same role again ends nothing", async () => {
    const person = await makePerson(ctx, { role: "admin" });
    const { signedIn } = await makeSession(ctx, person);
    await setRole("admin")(person);
    expect(await alive(signedIn.sessionHash)).toBe(true);
  });

  test("a client who becomes staff between the password and the session gets no session of a client", async () => {
    const person = await makePerson(ctx);
    const racing = interruptedBeforeCommit(ctx, () =>
      ctx.db.insert(userRoles).values({ user_id: person.id, role: "admin" }),
    );
    expect(await startSession(racing, proven(person))).toBe(false);
    expect(await liveSessionsOf(ctx, person)).toEqual([]);
  });
});
