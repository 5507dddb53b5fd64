import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlatformRole } from "~/access/model";
import { auditEvents } from "~/db/schema/audit";
import { sessions } from "~/db/schema/sessions";
import { settings } from "~/db/schema/site";
import type { StaffActor } from "~/features/auth/guards.server";
import { destinationOf } from "~/features/auth/model";
import { findSignedIn } from "~/features/auth/queries.server";
import { startSession, touchSession } from "~/features/auth/sessions.server";
import { brandSettings } from "~/features/settings/brand-settings";
import { effectiveBrand, findPublicSettings, getSettings } from "~/features/settings/queries.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { saveSettings } from "~/features/settings-management/save-settings.server";
import { repairPublishedSettings } from "~/jobs/schedule";
import { fail, ok } from "~/lib/errors";
import { hours, minutes } from "~/lib/time";
import { fetchPublishedSettings, putPublishedSettings } from "~/platform/published-settings.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { as, makePerson, type Person } from "../../support/factories";
import { saveSetting } from "../../support/settings";
import { proven } from "../../support/sign-in-steps";

describe("saving the brand", () => {
  const acme = { ...brandSettings({}), name: "Acme IT", phone: "" };

  const { siteDescription, enableAnalytics, adminEmail, autoAssignStatus, maxSubmissionsPerDay, fileQuotaGb } =
    DEFAULT_SETTINGS;

  const unchanged = [siteDescription, enableAnalytics, adminEmail, autoAssignStatus, maxSubmissionsPerDay, fileQuotaGb];

  beforeEach(async () => {
    await testContext().db.delete(settings);
    await putPublishedSettings(bindings.SESSIONS, { version: 0, brand: {}, values: {} });
  });

  async function somebody(role: PlatformRole, overrides: Parameters<typeof testContext>[0] = {}) {
    const base = testContext(overrides);
    const person = await makePerson(base, { role });
    const ctx = as(base, person);
    const actor = ctx.signedIn as StaffActor;
    const save = (brand: typeof acme, version: number, key: string = crypto.randomUUID()) => {
      const input = [brand, ...unchanged];
      return saveSettings(ctx, actor, { id: "company", input, version, nonce: key, decision: undefined });
    };
    const changes = () => base.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
    return { base, save, changes };
  }

  test.each(["moderator", "user"] as const)("a %s changes nothing", async (role) => {
    const { base, save } = await somebody(role);
    expect(await save(acme, 0)).toEqual(fail("settings_changed"));
    expect(await findPublicSettings(base.db)).toEqual({ version: 0, brand: {}, values: {} });
  });

  test.each([
    ["a version that was never saved", 1],
    ["an older version", 0],
  ])("a form filled in against %s writes nothing, neither here nor for the pages", async (_, version) => {
    const { base, save, changes } = await somebody("admin");
    if (version === 0) await save(acme, 0);
    const state = async () => [
      await findPublicSettings(base.db),
      await fetchPublishedSettings(base.kv),
      await changes(),
    ];
    const before = await state();
    expect(await save({ ...acme, name: "Other" }, version)).toEqual(fail("settings_changed"));
    expect(await state()).toEqual(before);
  });

  test("of two first saves at once one is told that the other was faster", async () => {
    const { base, save } = await somebody("admin");
    const results = await Promise.all([save(acme, 0), save({ ...acme, name: "Other" }, 0)]);
    expect(results.map(({ ok: saved }) => saved).sort()).toEqual([false, true]);
    expect(await findPublicSettings(base.db)).toMatchObject({ version: 1 });
  });

  test("a form that is sent twice is saved once", async () => {
    const { base, save, changes } = await somebody("admin");
    expect([await save(acme, 0, "one-form"), await save(acme, 0, "one-form")]).toEqual([
      ok({ changed: true, isPublished: true }),
      ok({ changed: false, values: expect.objectContaining({ site_name: "Acme IT" }) }),
    ]);
    expect(await findPublicSettings(base.db)).toMatchObject({ version: 1 });
    expect(await changes()).toHaveLength(1);
  });

  test("a save keeps what differs, says what was before and after, and shows it to the pages", async () => {
    const { base, save, changes } = await somebody("admin");
    await save(acme, 0);
    base.cost.trips = 0;
    await save({ ...acme, hours: "Always" }, 1);
    // The value before, the batch, and two looks at what to publish.
    expect(base.cost.trips).toBe(4);
    const saved = { name: "Acme IT", phone: "", hours: "Always" };
    expect(await findPublicSettings(base.db)).toEqual({ version: 2, brand: saved, values: {} });
    const [, event] = await changes();
    expect(event).toMatchObject({ action: "settings.changed", activity_type: "settings", actor_role: "admin" });
    expect(JSON.parse(event?.meta_json ?? "")).toEqual({
      before: { brand: { name: "Acme IT", phone: "" } },
      after: { brand: saved },
      changed: ["Business hours: Monday-Friday 8am-6pm to Always"],
    });
    expect(await fetchPublishedSettings(base.kv)).toEqual({ version: 2, brand: saved, values: {} });
    expect(await effectiveBrand(base)).toMatchObject({ name: "Acme IT", phone: null, hours: "Always" });
  });

  test("what lasts too long to be written for the pages is written by the next minute", async () => {
    const unwilling = { ...bindings.SESSIONS, put: () => Promise.reject(new Error("429 Too Many Requests")) };
    const { base, save } = await somebody("admin", { kv: unwilling as unknown as KVNamespace });
    expect(await save(acme, 0)).toEqual(ok({ changed: true, isPublished: true }));
    const minute = testContext();
    expect(await fetchPublishedSettings(minute.kv)).toMatchObject({ version: 0 });
    expect(await repairPublishedSettings(minute)).toEqual({ count: 1 });
    expect(await fetchPublishedSettings(minute.kv)).toEqual(await findPublicSettings(base.db));
    expect(await repairPublishedSettings(minute)).toEqual({ count: 0 });
  });

  test("a slow writer does not leave its older version over a newer one", async () => {
    const quick = await somebody("admin");
    let interrupted = false;
    const slow = await somebody("admin", {
      kv: {
        put: async (key: string, value: string) => {
          if (!interrupted) {
            interrupted = true;
            await quick.save({ ...acme, name: "Newer" }, 1);
          }
          await bindings.SESSIONS.put(key, value);
        },
      } as unknown as KVNamespace,
    });
    await slow.save(acme, 0);
    expect(await fetchPublishedSettings(quick.base.kv)).toMatchObject({ version: 2, brand: { name: "Newer" } });
  });

  test("notices about submissions follow the address of the site until somebody says otherwise", async () => {
    const { base, save } = await somebody("admin");
    await save({ ...acme, email: "hello@acme.example" }, 0);
    expect((await getSettings(base.db)).adminEmail).toBe("hello@acme.example");
    await base.db.insert(settings).values({ key: "adminEmail", value_json: '"desk@acme.example"', updated_at: 1 });
    expect((await getSettings(base.db)).adminEmail).toBe("desk@acme.example");
  });
});

describe("rules of signing in", () => {
  afterEach(async () => {
    await testContext().db.delete(settings);
  });

  const endsOf = async ({ db }: TestContext, hash: string) => {
    const [row] = await db.select().from(sessions).where(eq(sessions.id_hash, hash));
    return { idle: row?.idle_expires_at ?? 0, absolute: row?.abs_expires_at ?? 0 };
  };

  async function startedSession(ctx: TestContext, person: Person) {
    expect(await startSession(ctx, proven(person))).toBe(true);
    const newest = ctx.db.select().from(sessions).where(eq(sessions.user_id, person.id)).orderBy(sql`rowid DESC`);
    const hash = (await newest.limit(1))[0]?.id_hash ?? "";
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
    const landingAt = async (company_domain: string) =>
      landing(await saveSetting("sign-in", { company_domain }, "security"));
    expect(await landing(testContext())).toBe("/admin");
    expect(await landingAt("@company.example")).toBe("/client");
    expect(await landingAt("@Elsewhere.example")).toBe("/admin");
    expect(await landingAt("")).toBe("/admin");
  });
});
