import { and, eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { rateLimitAttempts, sessions } from "~/db/schema/sessions";
import type { SignInError } from "~/features/auth/model";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findAccount } from "~/features/auth/queries.server";
import { changePassword } from "~/features/auth/set-password.server";
import { type Duration, days, hours, minutes, seconds } from "~/lib/time";
import { rememberDevice } from "~/platform/cookies.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { as, makePerson, PASSWORD, type Person, signedInAs } from "../../support/factories";
import { withFullHashQueue } from "../../support/full-hash-queue";

describe("checking a password", () => {
  let ctx: TestContext;
  let visitors = 0;
  const waited: Duration[] = [];
  const wait = async (length: Duration) => {
    waited.push(length);
  };

  beforeEach(() => {
    visitors += 1;
    ctx = testContext({ facts: { ip: `198.51.100.${visitors}`, network: `198.51.100.${visitors}` } });
    waited.length = 0;
  });

  /** Returns an unknown address, a different one in each test because attempts on it are counted. */
  const nobody = () => `nobody${visitors}@nowhere.example`;

  const attempt = (email: string, password: string, context: TestContext = ctx) =>
    verifyPassword(context, { email, password }, wait);

  async function errorOf(email: string, password = "Wrong!Horse7battery"): Promise<SignInError | "signed in"> {
    const step = await attempt(email, password);
    return step.ok ? "signed in" : step.error;
  }

  const bucket = async (type: string, identifier: string) => {
    const isIt = and(eq(rateLimitAttempts.attempt_type, type), eq(rateLimitAttempts.identifier, identifier));
    return (await ctx.db.select().from(rateLimitAttempts).where(isIt))[0];
  };
  const blocked = (length: Duration) => ({ code: "too_many_attempts", retryAt: ctx.now() + length });
  const makeVictim = () => makePerson(ctx, { withPassword: true });
  /** Returns somebody whose next wrong password is the fifth. */
  async function almostBlocked() {
    const victim = await makeVictim();
    await counted("login_account", `user:${victim.id}`, 4);
    return victim;
  }
  /** Returns another browser, which the person has used before. */
  function knownBrowser({ id }: { id: string }, network = ctx.request.network) {
    const before = testContext({ facts: { network: ctx.request.network } });
    rememberDevice(before, { userId: id, epoch: 0 });
    const value = before.cookiesSet[0]?.split(";")[0]?.slice("__Host-kd=".length) ?? "";
    const browser = testContext({ facts: { network, cookies: new Map([["__Host-kd", value]]) } });
    return { browser, device: value.split(".")[0] };
  }

  /** Stores counted attempts directly, which saves the hashing. */
  const counted = (type: string, identifier: string, attempts: number) =>
    ctx.db
      .insert(rateLimitAttempts)
      .values({ attempt_type: type, identifier, attempts, blocked_until: null, last_attempt_at: ctx.now() });

  test("of fifty parallel wrong passwords exactly five are checked", async () => {
    const victim = await makeVictim();
    const errors = await Promise.all(Array.from({ length: 50 }, () => errorOf(victim.email)));
    const codes = errors.map((error) => (error === "signed in" ? error : error.code));
    expect(codes.filter((code) => code === "credentials_wrong")).toHaveLength(5);
    expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(45);
    expect(waited).toHaveLength(5);
  });

  describe("a blocked account", () => {
    test("rejects the right password too, without a longer block, and is open again after a minute", async () => {
      const victim = await almostBlocked();
      expect(await errorOf(victim.email)).toEqual({ code: "credentials_wrong" });
      const before = await bucket("login_account", `user:${victim.id}`);
      ctx.clock.advance(seconds(30));
      expect(await errorOf(victim.email, PASSWORD)).toEqual(blocked(seconds(30)));
      expect(await bucket("login_account", `user:${victim.id}`)).toEqual(before);
      ctx.clock.advance(seconds(31));
      expect(await errorOf(victim.email, PASSWORD)).toBe("signed in");
    });

    test("stays blocked longer after each further wrong password: 1, 2, 4, 8, 15, 15 minutes", async () => {
      const victim = await almostBlocked();
      for (const length of [1, 2, 4, 8, 15, 15]) {
        await errorOf(victim.email);
        expect(await errorOf(victim.email)).toEqual(blocked(minutes(length)));
        ctx.clock.advance(minutes(length) + 1);
      }
    });

    test("is reset after twelve hours without an attempt", async () => {
      const victim = await almostBlocked();
      ctx.clock.advance(hours(12) + 1);
      await errorOf(victim.email);
      expect(await bucket("login_account", `user:${victim.id}`)).toMatchObject({ attempts: 1, blocked_until: null });
    });

    test("does not use up the limit of the network of the attempts", async () => {
      const victim = await almostBlocked();
      for (let attempt = 0; attempt < 40; attempt += 1) await errorOf(victim.email);
      expect((await bucket("login_ip", ctx.request.network))?.attempts).toBe(1);
    });

    test("stays open for a browser its owner has used before, and for no other browser", async () => {
      const [owner, stranger] = [await almostBlocked(), await makeVictim()];
      await errorOf(owner.email);
      const from = (person: { id: string }) =>
        attempt(owner.email, PASSWORD, knownBrowser(person, "192.0.2.200").browser);
      expect((await from(owner)).ok).toBe(true);
      expect(await from(stranger)).toMatchObject({ error: { code: "too_many_attempts" } });
    });
  });

  test("a known browser has its own ten attempts, then it is blocked while others are not", async () => {
    const owner = await makeVictim();
    const { browser, device } = knownBrowser(owner);
    await counted("login_device", `${owner.id}:${device}`, 9);
    expect(await attempt(owner.email, "Wrong!Horse7battery", browser)).toMatchObject({
      error: { code: "credentials_wrong" },
    });
    expect(await attempt(owner.email, PASSWORD, browser)).toMatchObject({ error: { code: "too_many_attempts" } });
    expect((await attempt(owner.email, PASSWORD)).ok).toBe(true);
  });

  describe("one network", () => {
    test("has thirty attempts over all accounts, then waits a quarter of an hour", async () => {
      const person = await makeVictim();
      await counted("login_ip", ctx.request.network, 29);
      expect(await errorOf(nobody())).toEqual({ code: "credentials_wrong" });
      expect(await errorOf(person.email, PASSWORD)).toEqual(blocked(minutes(15)));
      expect(await bucket("login_account", `user:${person.id}`)).toBeUndefined();
    });

    test("is not used up by people who know their password", async () => {
      const person = await makeVictim();
      await counted("login_ip", ctx.request.network, 28);
      for (let morning = 0; morning < 3; morning += 1) expect(await errorOf(person.email, PASSWORD)).toBe("signed in");
    });
  });

  describe("existing and unknown accounts cannot be told apart", () => {
    test("an address without an account is counted, blocked and rejected like one with an account", async () => {
      const email = nobody();
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect(await errorOf(email)).toEqual({ code: "credentials_wrong" });
      expect(await errorOf(email)).toEqual(blocked(minutes(1)));
    });

    test("what was typed as an address is never stored", async () => {
      await errorOf("my secret password");
      const rows = await ctx.db.select().from(rateLimitAttempts).where(like(rateLimitAttempts.identifier, "%secret%"));
      expect(rows).toEqual([]);
    });

    test("every response about a password takes the same minimum time plus a random part", async () => {
      const person = await makeVictim();
      await errorOf(person.email);
      await errorOf(nobody());
      await errorOf(person.email, PASSWORD);
      expect(waited).toHaveLength(3);
      for (const length of waited) {
        expect(length).toBeGreaterThanOrEqual(400);
        expect(length).toBeLessThanOrEqual(485);
      }
    });

    test.each([
      "pending",
      "deactivated",
    ] as const)("a %s account gives the same error for the right password as for a wrong one", async (status) => {
      const person = await makePerson(ctx, { withPassword: true, status });
      expect(await errorOf(person.email, PASSWORD)).toEqual({ code: "credentials_wrong" });
      expect(await errorOf(person.email)).toEqual({ code: "credentials_wrong" });
    });

    test("only with the right password a person is told that the address is not confirmed", async () => {
      const person = await makePerson(ctx, { withPassword: true, status: "unverified" });
      expect(await errorOf(person.email)).toEqual({ code: "credentials_wrong" });
      expect(await errorOf(person.email, PASSWORD)).toEqual({ code: "email_unconfirmed" });
    });
  });

  test("nobody can sign in to an account without a password", async () => {
    const invited = await makePerson(ctx);
    expect(await errorOf(invited.email, "")).toEqual({ code: "credentials_wrong" });
    expect(await errorOf(invited.email, "$scrypt-hmac$")).toEqual({ code: "credentials_wrong" });
  });

  test("a failed attempt is recorded after the response, without the typed text", async () => {
    const person = await makeVictim();
    await errorOf(person.email);
    await ctx.settle();
    const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
    expect(event).toMatchObject({
      action: "session.refused",
      subject_id: person.id,
      meta_json: '{"reason":"credentials"}',
    });
  });

  test("with a full hash queue the sign-in is unavailable and every counted attempt is given back", async () => {
    const person = await makeVictim();
    const error = await withFullHashQueue(() => errorOf(person.email, PASSWORD));
    expect(error).toEqual({ code: "unavailable", retryAt: ctx.now() + seconds(2) });
    expect(await bucket("login_account", `user:${person.id}`)).toMatchObject({ attempts: 0, blocked_until: null });
    expect(await bucket("login_ip", ctx.request.network)).toMatchObject({ attempts: 0 });
  });

  test("when attempts cannot be counted nobody can sign in", async () => {
    const person = await makeVictim();
    const away = vi.fn(() => {
      throw new Error("D1_ERROR: Network connection lost");
    });
    const broken = derive(ctx, {
      db: new Proxy(ctx.db, { get: (db, name) => (name === "insert" ? away : Reflect.get(db, name)) }),
    });
    await expect(attempt(person.email, PASSWORD, broken)).rejects.toThrow("D1_ERROR");
    expect(await ctx.db.select().from(sessions).where(eq(sessions.user_id, person.id))).toEqual([]);
  });

  test("a damaged password hash is a wrong password, and hangs nothing", async () => {
    const person = await makeVictim();
    const greedy = `$scrypt-hmac$ln=24,r=8,p=5,k=1$${"A".repeat(22)}$${"A".repeat(43)}`;
    await ctx.db.update(users).set({ password_hash: greedy }).where(eq(users.id, person.id));
    expect(await errorOf(person.email, PASSWORD)).toEqual({ code: "credentials_wrong" });
  });
});

describe("an initial password", () => {
  let ctx: TestContext;
  let person: Person;

  beforeEach(async () => {
    ctx = testContext();
    person = await makePerson(ctx, { withPassword: true });
    await ctx.db
      .update(users)
      .set({ password_expires_at: ctx.now() + hours(72), must_change_password: 1 })
      .where(eq(users.id, person.id));
  });

  const opens = async (password: string) =>
    (await verifyPassword(ctx, { email: person.email, password }, async () => undefined)).ok;

  test("a password that somebody else has set works for 72 hours", async () => {
    ctx.clock.advance(hours(72) - 1);
    expect(await opens(PASSWORD)).toBe(true);
    ctx.clock.advance(1);
    expect(await opens(PASSWORD)).toBe(false);
  });

  test("a password the owner has chosen does not expire", async () => {
    const next = "Another!Horse8battery";
    const change = { current: PASSWORD, next, staySignedIn: false };
    expect((await changePassword(as(ctx, person), signedInAs(person, ctx.now()), change)).ok).toBe(true);
    ctx.clock.advance(days(30));
    expect(await opens(next)).toBe(true);
    expect((await findAccount(ctx.db, person.id))?.passwordExpiresAt).toBeNull();
  });
});
