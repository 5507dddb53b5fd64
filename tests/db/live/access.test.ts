import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import type { SignedIn } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";
import { eventually, hubOf, listen, listenersOfFile, storeEvent } from "../../support/live";

const ctx = testContext();
ctx.clock.set(Date.now());

const connect = listenersOfFile();

async function connectedStaff(role: SignedIn["role"] = "moderator", aal: 1 | 2 = 2) {
  const { signedIn } = await makeSession(ctx, await makePerson(ctx, { role }), aal);
  return { ...signedIn, listener: await connect(signedIn) };
}

const notify = () => hubOf("staff").notify();
const alarmOf = () => runInDurableObject(hubOf("staff"), (_hub, state) => state.storage.getAlarm());

/** Lists everything that ends a session, as changes in the sessions or users table. */
const ENDINGS = {
  "a session that was signed out": ({ sessionHash }: SignedIn) =>
    ctx.db.update(sessions).set({ revoked_at: ctx.now() }).where(eq(sessions.id_hash, sessionHash)),
  "a session that was idle for too long": ({ sessionHash }: SignedIn) =>
    ctx.db
      .update(sessions)
      .set({ idle_expires_at: ctx.now() - 1 })
      .where(eq(sessions.id_hash, sessionHash)),
  "a session past its absolute expiry": ({ sessionHash }: SignedIn) =>
    ctx.db
      .update(sessions)
      .set({ abs_expires_at: ctx.now() - 1 })
      .where(eq(sessions.id_hash, sessionHash)),
  "a person signed out everywhere": ({ userId }: SignedIn) =>
    ctx.db
      .update(users)
      .set({ auth_epoch: sql`${users.auth_epoch} + 1` })
      .where(eq(users.id, userId)),
  "a deactivated account": ({ userId }: SignedIn) =>
    ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, userId)),
};

describe("before each event", () => {
  test("a demoted administrator's socket closes before the next event", async () => {
    const [demoted, witness] = [await connectedStaff("admin"), await connectedStaff("admin")];
    await ctx.db.update(userRoles).set({ role: "user" }).where(eq(userRoles.user_id, demoted.userId));
    const seq = await storeEvent(ctx);
    await notify();
    expect(await demoted.listener.closed).toBe(4401);
    await eventually(() => witness.listener.frames.length > 0);
    expect(witness.listener.seqs()).toEqual([seq]);
    expect(demoted.listener.frames).toEqual([]);
  });

  test("an administrator who became a technician receives no more sign-in events", async () => {
    const [person, witness] = [await connectedStaff("admin"), await connectedStaff("admin")];
    await ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, person.userId));
    await storeEvent(ctx, { type: "mfa_event" });
    await notify();
    await eventually(() => witness.listener.frames.length > 0);
    expect(person.listener.frames).toEqual([]);
  });

  test.each(Object.entries(ENDINGS))("%s receives no more events", async (_name, end) => {
    const person = await connectedStaff();
    await end(person);
    await storeEvent(ctx);
    await notify();
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
    const { listener } = await connectedStaff("admin", 1);
    expect(await listener.closed).toBe(4403);
  });

  test("a hello gets no events after the session has ended", async () => {
    const lastSeq = await storeEvent(ctx);
    const person = await connectedStaff();
    await storeEvent(ctx);
    await ENDINGS["a person signed out everywhere"](person);
    person.listener.send({ type: "hello", lastSeq });
    expect(await person.listener.closed).toBe(4401);
    expect(person.listener.frames).toEqual([]);
  });
});

describe("a disconnect", () => {
  test.each(["person", "session"] as const)("closes the sockets of a %s at once", async (whose) => {
    const [target, other] = [await connectedStaff(), await connectedStaff()];
    await hubOf("staff").disconnect(whose === "person" ? `u:${target.userId}` : `s:${target.sessionHash}`);
    expect(await target.listener.closed).toBe(4401);
    expect(other.listener.isOpen()).toBe(true);
  });
});

describe("the hub's alarm", () => {
  test("closes the socket of a session that has ended, even without an event", async () => {
    const person = await connectedStaff();
    await ENDINGS["a session that was idle for too long"](person);
    expect(await runDurableObjectAlarm(hubOf("staff"))).toBe(true);
    expect(await person.listener.closed).toBe(4401);
  });

  test("delivers events of which the hub was not notified", async () => {
    const { listener } = await connectedStaff();
    const seq = await storeEvent(ctx);
    await runDurableObjectAlarm(hubOf("staff"));
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
  });

  test("is scheduled only while somebody is connected", async () => {
    const { listener } = await connectedStaff();
    expect(await alarmOf()).toBeGreaterThan(Date.now());
    await runDurableObjectAlarm(hubOf("staff"));
    expect(await alarmOf()).toBeGreaterThan(Date.now());
    listener.close();
    await listener.closed;
    await eventually(async () => (await alarmOf()) === null);
    expect(await alarmOf()).toBeNull();
  });
});
