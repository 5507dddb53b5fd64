import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/security";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { confirmIdentity, renewSession } from "~/features/auth/confirm-identity.server";
import { disableTotp, renewBackupCodes } from "~/features/auth/factor-commands.server";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { endAllSessions, revokeOtherSessions, revokeSession } from "~/features/auth/sessions.server";
import { changePassword } from "~/features/auth/set-password.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import * as hashQueue from "~/platform/hash-queue.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, PASSWORD, type Person, TOTP_SECRET } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { liveSessionsOf } from "../../support/sign-in-steps";

let ctx: TestContext;
let person: Person;
let signedIn: SignedIn;
let own: Ctx;
let networks = 0;

beforeEach(async () => {
  networks += 1;
  ctx = testContext({ facts: { network: `198.19.0.${networks}` } });
  person = await makePerson(ctx, { withPassword: true, withTotp: true });
  ({ signedIn } = await enter());
});

/** Returns the context of a browser with its own session. */
async function enter() {
  const session = await makeSession(ctx, person);
  const cookies = new Map([["__Host-sid", session.sessionId]]);
  own = derive(ctx, { signedIn: session.signedIn, request: { ...ctx.request, cookies } });
  return session;
}

const code = (offset = 0) => codeAt(TOTP_SECRET, stepAt(ctx.now()) + offset);
const typed = (changes: Partial<{ password: string; code: string }> = {}) => ({
  ...{ password: PASSWORD, method: "totp" as const, code: code() },
  ...changes,
});
const factor = async () =>
  (await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, person.id)))[0];
const mfaAttempts = async () => {
  const counted = and(eq(rateLimitAttempts.attempt_type, "mfa"), eq(rateLimitAttempts.identifier, person.id));
  return (await ctx.db.select().from(rateLimitAttempts).where(counted)).map(({ attempts }) => attempts);
};
const subjects = async () => (await mailsTo(ctx, person.email)).map(({ subject }) => subject);
const errorOf = async (work: ReturnType<typeof disableTotp>) => {
  const proof = await work;
  return proof.ok ? "proved" : proof.error.code;
};
const alive = async (sessionHash: string) => (await findSignedIn(ctx.db, sessionHash, ctx.now())) !== null;
const liveSessions = () => liveSessionsOf(ctx, person);

/** Reads what is recorded of a session that was revoked; null: of all others of the person at once. */
async function recordsOf(sessionHash: string | null) {
  const isRevoked = and(eq(auditEvents.action, "session.revoked"), eq(auditEvents.actor_id, person.id));
  const events = await ctx.db.select({ meta: auditEvents.meta_json }).from(auditEvents).where(isRevoked);
  return events.filter(({ meta }) => (JSON.parse(meta ?? "{}").session ?? null) === sessionHash);
}

describe("a proof of identity", () => {
  test("requires the password and, if there is one, the second factor", async () => {
    for (const [given, error] of [
      [{ password: "" }, "current_password_missing"],
      [{ code: "" }, "code_missing"],
      [{ password: "Wrong!Horse7" }, "current_password_wrong"],
      [{ code: code(10) }, "code_wrong"],
      [{ code: "12" }, "code_malformed"],
      [{}, "proved"],
    ] as const)
      expect(await errorOf(confirmIdentity(own, signedIn, typed(given)))).toBe(error);
  });

  test("consumes its code: of five parallel changes with one code one is committed", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => errorOf(renewSession(own, signedIn, typed())).catch(() => "saturated")),
    );
    expect(answers.filter((answer) => answer === "proved")).toHaveLength(1);
  });

  test("is rate-limited: the sixth attempt must wait", async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      await confirmIdentity(own, signedIn, typed({ password: "Wrong!Horse7" }));
    }
    expect(await errorOf(confirmIdentity(own, signedIn, typed()))).toBe("too_many_attempts");
  });

  test("whose code could not be checked is no attempt", async () => {
    await ctx.db.update(userMfaSettings).set({ totp_secret: "damaged" }).where(eq(userMfaSettings.user_id, person.id));
    await expect(confirmIdentity(own, signedIn, typed())).rejects.toThrow();
    expect(await mfaAttempts()).toEqual([0]);
  });

  test("that needs a hash while too many wait is asked for again, and is no attempt", async () => {
    const stored = { id: "bkc_one", set_id: "set_one", salt: "c2FsdA", code_hash: "none", created_at: ctx.now() };
    await ctx.db.insert(mfaBackupCodes).values({ user_id: person.id, ...stored });
    const hash = vi.spyOn(hashQueue, "runInHashQueue");
    hash.mockImplementationOnce(async (work) => work());
    hash.mockRejectedValueOnce(new hashQueue.HashQueueFullError("full"));
    const backup = { ...typed({ code: "ABCD2345" }), method: "backup_code" as const };
    expect(await confirmIdentity(own, signedIn, backup)).toMatchObject({ ok: false, error: { code: "unavailable" } });
    expect(await mfaAttempts()).toEqual([0]);
  });

  test("is valid for ten minutes in a session with a new id; the old cookie is invalid", async () => {
    expect(await errorOf(renewSession(own, signedIn, typed()))).toBe("proved");
    expect(await alive(signedIn.sessionHash)).toBe(false);
    const cookie = ctx.cookiesSet.find((header) => header.startsWith("__Host-sid="));
    const fresh = cookie?.match(/=([\w-]{43});/)?.[1] ?? "";
    expect(await findSignedIn(ctx.db, hashToken(fresh), ctx.now())).toMatchObject({ reauthAt: ctx.now(), aal: 2 });
    // A page that this request still shows has forms of the new session.
    expect(own.signedIn).toMatchObject({ sessionHash: hashToken(fresh), reauthAt: ctx.now() });
  });
});

describe("switching the factor off", () => {
  test("deletes secret and codes, ends all other sessions and sends a mail to the owner", async () => {
    const other = await makeSession(ctx, person);
    expect(await errorOf(disableTotp(own, signedIn, typed()))).toBe("proved");
    expect(await factor()).toMatchObject({ is_enabled: 0, totp_secret: null });
    expect(await ctx.db.select().from(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, person.id))).toEqual([]);
    expect(await alive(other.signedIn.sessionHash)).toBe(false);
    expect(await subjects()).toContain("Two-step sign-in is off");
  });

  test("requires password and code: a stolen cookie is not enough", async () => {
    const refused = [typed({ password: "Wrong!Horse7" }), typed({ code: code(10) })].map((given) =>
      errorOf(disableTotp(own, signedIn, given)),
    );
    expect(await Promise.all(refused)).toEqual(["current_password_wrong", "code_wrong"]);
    expect((await factor())?.is_enabled).toBe(1);
  });
});

test("new backup codes replace the old set as a whole", async () => {
  expect(await errorOf(renewBackupCodes(own, signedIn, typed()))).toBe("proved");
  const rows = await ctx.db.select().from(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, person.id));
  expect(rows).toHaveLength(10);
  expect(new Set(rows.map((row) => row.set_id)).size).toBe(1);
});

describe("a changed password", () => {
  const change = (current: string, next: string) =>
    changePassword(own, signedIn, { current, next, staySignedIn: true });
  const refused = (code: string) => ({ ok: false, error: { code } });

  test("requires the current one", async () => {
    expect(await change("Wrong!Horse7", "Brand!New8horse")).toEqual(refused("current_password_wrong"));
    expect(await change(PASSWORD, "Password1!")).toEqual(refused("password_too_common"));
  });

  test("must be a different one: the current one again changes nothing, and a required change stays required", async () => {
    await ctx.db.update(users).set({ must_change_password: 1 }).where(eq(users.id, person.id));
    expect(await change(PASSWORD, PASSWORD)).toEqual(refused("password_unchanged"));
    // Without the current password, the error says no more than that it is wrong.
    expect(await change("Wrong!Horse7", "Wrong!Horse7")).toEqual(refused("current_password_wrong"));
    expect(await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now())).toMatchObject({ mustChangePassword: true });
  });

  test("ends all other sessions and keeps this browser signed in with a new one", async () => {
    const other = await makeSession(ctx, person);
    expect(await change(PASSWORD, "Brand!New8horse")).toMatchObject({ ok: true });
    expect(await alive(other.signedIn.sessionHash)).toBe(false);
    expect(await alive(signedIn.sessionHash)).toBe(false);
    expect((await liveSessions()).filter((session) => session.epoch === 1)).toHaveLength(1);
    expect(await subjects()).toContain("Your password was changed");
  });
});

describe("sessions", () => {
  test("one can be ended, but not somebody else's", async () => {
    const mine = await makeSession(ctx, person);
    const stranger = await makePerson(ctx);
    const theirs = await makeSession(ctx, stranger);
    expect(await revokeSession(own, signedIn, mine.signedIn.sessionHash)).toBe(true);
    expect(await revokeSession(own, signedIn, theirs.signedIn.sessionHash)).toBe(false);
    expect(await alive(mine.signedIn.sessionHash)).toBe(false);
    expect(await alive(theirs.signedIn.sessionHash)).toBe(true);
    await ctx.settle();
    expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `s:${mine.signedIn.sessionHash}` });
  });

  test.each([
    ["all others can be ended while this one stays", revokeOtherSessions, true],
    ["signing out everywhere ends all of them", endAllSessions, false],
  ])("%s", async (_, end, stays) => {
    const others = [await makeSession(ctx, person), await makeSession(ctx, person)];
    await end(own, signedIn);
    for (const other of others) expect(await alive(other.signedIn.sessionHash)).toBe(false);
    expect(await alive(signedIn.sessionHash)).toBe(stays);
  });

  test("a session ends together with its audit entry, and nothing is recorded when none ends", async () => {
    const mine = (await makeSession(ctx, person)).signedIn.sessionHash;
    const theirs = (await makeSession(ctx, await makePerson(ctx))).signedIn.sessionHash;
    const away = () => Promise.reject(new Error("D1_ERROR: overloaded"));
    const broken = derive(own, {
      db: new Proxy(ctx.db, { get: (db, name) => (name === "batch" ? away : Reflect.get(db, name)) }),
    });
    await expect(revokeSession(broken, signedIn, mine)).rejects.toThrow("overloaded");
    await expect(revokeOtherSessions(broken, signedIn)).rejects.toThrow("overloaded");
    expect(await alive(mine)).toBe(true);
    const ended = [mine, mine, mine, theirs].map((sessionHash) => revokeSession(own, signedIn, sessionHash));
    expect(await Promise.all(ended)).toEqual([true, true, true, false]);
    expect(await recordsOf(mine)).toHaveLength(1);
    expect(await recordsOf(theirs)).toHaveLength(0);
    await revokeOtherSessions(own, signedIn);
    expect(await recordsOf(null)).toHaveLength(1);
  });
});

test("the hundredth wrong password in a row locks the password, and its owner gets one mail", async () => {
  await ctx.db.update(users).set({ password_failures: 99 }).where(eq(users.id, person.id));
  const signIn = (password: string) => verifyPassword(ctx, { email: person.email, password }, async () => undefined);
  await signIn("Wrong!Horse7");
  await ctx.settle();
  expect(await signIn(PASSWORD)).toMatchObject({ ok: false, error: { code: "credentials_wrong" } });
  await signIn("Wrong!Horse7");
  expect((await subjects()).filter((subject) => subject.includes("no longer signs you in"))).toHaveLength(1);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "user.password_locked"));
  expect(events.filter((event) => event.subject_id === person.id)).toHaveLength(1);
  const ofPerson = eq(rateLimitAttempts.identifier, `user:${person.id}`);
  const limits = await ctx.db.select().from(rateLimitAttempts).where(ofPerson);
  expect(limits[0]?.attempts).toBeGreaterThan(0);
});
