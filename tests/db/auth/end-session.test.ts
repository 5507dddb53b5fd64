import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { findSignedIn } from "~/features/auth/queries.server";
import { endSession } from "~/features/auth/sessions/end-session.server";
import { hours } from "~/lib/time";
import { storeSessionPayload } from "~/platform/session-payload.server";
import { derive, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/world";

async function atDesk() {
  const ctx = testContext();
  const person = await makePerson(ctx);
  const { signedIn } = await makeSession(ctx, person);
  storeSessionPayload(ctx, signedIn.sessionHash, { device: "Chrome on Linux", at: ctx.now() }, hours(12));
  await ctx.settle();
  const desk = derive(ctx, { signedIn });
  return { ctx, desk, person, sessionHash: signedIn.sessionHash };
}

test("signing out ends the session for whoever holds its cookie, its payload, its sockets, and is recorded", async () => {
  const { ctx, desk, person, sessionHash } = await atDesk();
  expect(await ctx.kv.get(`sess:${sessionHash}`)).not.toBeNull();
  await endSession(desk);
  await ctx.settle();
  expect(await findSignedIn(ctx.db, sessionHash, ctx.now())).toBeNull();
  expect(await ctx.kv.get(`sess:${sessionHash}`)).toBeNull();
  expect(ctx.disconnected).toEqual([{ audience: "staff", tag: `s:${sessionHash}` }]);
  expect(ctx.cookiesSet).toContain("__Host-sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
  const events = await ctx.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.actor_id, person.id), eq(auditEvents.action, "session.ended")));
  expect(events).toMatchObject([
    { subject_type: "user", subject_id: person.id, meta_json: JSON.stringify({ session: sessionHash }) },
  ]);
});

test("it leaves the person's other browsers alone", async () => {
  const { ctx, desk, person } = await atDesk();
  const elsewhere = await makeSession(ctx, person);
  await endSession(desk);
  expect(await findSignedIn(ctx.db, elsewhere.signedIn.sessionHash, ctx.now())).not.toBeNull();
});

test("it does not pretend when the ledger cannot be reached", async () => {
  const { ctx, desk, sessionHash } = await atDesk();
  const away = () => Promise.reject(new Error("D1_ERROR: overloaded"));
  const broken = derive(desk, {
    db: new Proxy(ctx.db, { get: (db, name) => (name === "batch" ? away : Reflect.get(db, name)) }),
  });
  await expect(endSession(broken)).rejects.toThrow("overloaded");
  expect(ctx.cookiesSet).toEqual([]);
  expect(await findSignedIn(ctx.db, sessionHash, ctx.now())).not.toBeNull();
});
