import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import type { SignedIn } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { aMoment, eventually, happen, hubOf, type Listener, listen } from "../../support/live";
import { makePerson, makeSession } from "../../support/world";

const ctx = testContext();
ctx.clock.set(Date.now());

const connected: Listener[] = [];

afterEach(async () => {
  for (const listener of connected.splice(0)) listener.leave();
  await aMoment();
});

async function connectedStaff(role: SignedIn["role"] = "moderator", aal: 1 | 2 = 2) {
  const { signedIn } = await makeSession(ctx, await makePerson(ctx, { role }), aal);
  const listener = await listen("staff", signedIn);
  connected.push(listener);
  return { ...signedIn, listener };
}

const notify = () => hubOf("staff").notify();
const alarmOf = () => runInDurableObject(hubOf("staff"), (_hub, state) => state.storage.getAlarm());

/** Everything that ends a session, as the ledger or the account shows it. */
const ENDINGS = {
  "a session that was signed out": ({ sessionHash }: SignedIn) =>
    ctx.db.update(sessions).set({ revoked_at: ctx.now() }).where(eq(sessions.id_hash, sessionHash)),
  "a session that was idle for too long": ({ sessionHash }: SignedIn) =>
    ctx.db
      .update(sessions)
      .set({ idle_expires_at: ctx.now() - 1 })
      .where(eq(sessions.id_hash, sessionHash)),
  "a session past its longest life": ({ sessionHash }: SignedIn) =>
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
    const seq = await happen(ctx);
    await notify();
    expect(await demoted.listener.closed).toBe(4403);
    await eventually(() => witness.listener.frames.length > 0);
    expect(witness.listener.seqs()).toEqual([seq]);
    expect(demoted.listener.frames).toEqual([]);
  });

  test("an administrator who became a technician hears no more sign-in events", async () => {
    const [person, witness] = [await connectedStaff("admin"), await connectedStaff("admin")];
    await ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, person.userId));
    await happen(ctx, { type: "mfa_event" });
    await notify();
    await eventually(() => witness.listener.frames.length > 0);
    expect(person.listener.frames).toEqual([]);
  });

  test.each(Object.entries(ENDINGS))("%s hears nothing more", async (_name, end) => {
    const person = await connectedStaff();
    await end(person);
    await happen(ctx);
    await notify();
    expect(await person.listener.closed).toBe(4401);
    expect(person.listener.frames).toEqual([]);
  });
});

describe("at the door", () => {
  test.each(
    Object.entries(ENDINGS),
  )("%s gets no replay, even when it slipped through the guard", async (_name, end) => {
    const lastSeq = await happen(ctx);
    await happen(ctx);
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

  test("a hello is answered only as long as the session lives", async () => {
    const lastSeq = await happen(ctx);
    const person = await connectedStaff();
    await happen(ctx);
    await ENDINGS["a person signed out everywhere"](person);
    person.listener.send({ type: "hello", lastSeq });
    expect(await person.listener.closed).toBe(4401);
    expect(person.listener.frames).toEqual([]);
  });
});

describe("a disconnect", () => {
  test.each(["person", "session"] as const)("closes the sockets of a %s at once", async (whose) => {
    const [meant, other] = [await connectedStaff(), await connectedStaff()];
    await hubOf("staff").disconnect(whose === "person" ? `u:${meant.userId}` : `s:${meant.sessionHash}`);
    expect(await meant.listener.closed).toBe(4401);
    expect(other.listener.isOpen()).toBe(true);
  });

  test("closes the sockets of a role", async () => {
    const [admin, technician] = [await connectedStaff("admin"), await connectedStaff("moderator")];
    await hubOf("staff").disconnect("r:moderator");
    expect(await technician.listener.closed).toBe(4403);
    expect(admin.listener.isOpen()).toBe(true);
  });
});

describe("the minute's round", () => {
  test("closes the socket of a session that has ended, although nothing happens", async () => {
    const person = await connectedStaff();
    await ENDINGS["a session that was idle for too long"](person);
    expect(await runDurableObjectAlarm(hubOf("staff"))).toBe(true);
    expect(await person.listener.closed).toBe(4401);
  });

  test("brings events whose notify was lost", async () => {
    const { listener } = await connectedStaff();
    const seq = await happen(ctx);
    await runDurableObjectAlarm(hubOf("staff"));
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
  });

  test("goes on as long as somebody is connected, and no longer", async () => {
    const { listener } = await connectedStaff();
    expect(await alarmOf()).toBeGreaterThan(Date.now());
    await runDurableObjectAlarm(hubOf("staff"));
    expect(await alarmOf()).toBeGreaterThan(Date.now());
    listener.leave();
    await listener.closed;
    await aMoment();
    expect(await alarmOf()).toBeNull();
  });
});
