import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { sessions } from "~/db/schema/sessions";
import { settings } from "~/db/schema/site";
import { destinationOf } from "~/features/auth/model";
import { findSignedIn } from "~/features/auth/queries.server";
import { startSession, touchSession } from "~/features/auth/sessions.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { hours, minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";
import { saveSetting } from "../../support/settings";
import { proven } from "../../support/sign-in-steps";

afterEach(async () => {
  await testContext().db.delete(settings);
});

async function endsOf({ db }: TestContext, hash: string) {
  const t = sessions;
  const [row] = await db
    .select({ idle: t.idle_expires_at, absolute: t.abs_expires_at })
    .from(t)
    .where(eq(t.id_hash, hash));
  return row ?? { idle: 0, absolute: 0 };
}

async function startedSession(ctx: TestContext, person: Person) {
  const hashes = async () => {
    const rows = await ctx.db.select({ hash: sessions.id_hash }).from(sessions).where(eq(sessions.user_id, person.id));
    return rows.map(({ hash }) => hash);
  };
  const former = new Set(await hashes());
  expect(await startSession(ctx, proven(person))).toBe(true);
  const hash = (await hashes()).find((one) => !former.has(one)) ?? "";
  return { hash, at: ctx.now(), ...(await endsOf(ctx, hash)) };
}

test("sessions are as short as they are set, those that are open too", async () => {
  const base = testContext();
  const person = await makePerson(base, { role: "admin" });
  const before = await startedSession(base, person);
  expect([before.idle - base.now(), before.absolute - base.now()]).toEqual([minutes(30), hours(12)]);
  await saveSetting("sign-in", { staff_idle: "10", staff_hours: "2" }, "security");
  const after = await startedSession(base, person);
  expect([after.idle - base.now(), after.absolute - base.now()]).toEqual([minutes(10), hours(2)]);
  base.clock.advance(minutes(6));
  base.signedIn = await findSignedIn(base.db, before.hash, base.now());
  touchSession(base);
  await base.settle();
  expect(await endsOf(base, before.hash)).toEqual({ idle: base.now() + minutes(10), absolute: before.at + hours(2) });
});

test("a client must set up two steps a week after the site requires it, whatever their organization says", async () => {
  const base = testContext();
  const person = await makePerson(base);
  const { hash } = await startedSession(base, person);
  const since = async () => (await findSignedIn(base.db, hash, base.now()))?.mfaRequiredSince ?? null;
  expect(await since()).toBeNull();
  const ctx = await saveSetting("sign-in", { client_mfa: "on" }, "security");
  expect(await since()).toBe(ctx.now());
  await saveSetting("sign-in", { client_mfa: "" }, "security");
  expect(await since()).toBeNull();
});

test("staff land by the company domain; without one their role decides", async () => {
  const landing = async (ctx: TestContext) =>
    destinationOf({ email: "sam@elsewhere.example", role: "admin" }, null, (await effectiveBrand(ctx)).domain);
  expect(await landing(testContext())).toBe("/admin");
  expect(await landing(await saveSetting("sign-in", { company_domain: "@company.example" }, "security"))).toBe(
    "/client",
  );
  expect(await landing(await saveSetting("sign-in", { company_domain: "@Elsewhere.example" }, "security"))).toBe(
    "/admin",
  );
  expect(await landing(await saveSetting("sign-in", { company_domain: "" }, "security"))).toBe("/admin");
});
