import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { findSignedIn } from "~/features/auth/queries.server";
import { endSession, revokeOtherSessions, revokeSession } from "~/features/auth/sessions.server";
import { hours } from "~/lib/time";
import { keepSessionData, sessionDataKey } from "~/platform/session-data.server";
import { derive, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";

async function signedInBrowser() {
  const ctx = testContext();
  const person = await makePerson(ctx);
  const { signedIn } = await makeSession(ctx, person);
  await keepSessionData(ctx, sessionDataKey("sess", signedIn.sessionHash), "Chrome on Linux", hours(12));
  const browser = derive(ctx, { signedIn });
  return { ctx, browser, person, sessionHash: signedIn.sessionHash };
}

test("signing out ends the session, deletes the label of its browser, closes its sockets and writes an audit entry", async () => {
  const { ctx, browser, person, sessionHash } = await signedInBrowser();
  expect(await ctx.kv.get(`sess:${sessionHash}`)).not.toBeNull();
  await endSession(browser);
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

test("it does not sign out the person's other browsers", async () => {
  const { ctx, browser, person } = await signedInBrowser();
  const elsewhere = await makeSession(ctx, person);
  await endSession(browser);
  expect(await findSignedIn(ctx.db, elsewhere.signedIn.sessionHash, ctx.now())).not.toBeNull();
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
