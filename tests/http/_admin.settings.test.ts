import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { inboundMail } from "~/db/schema/inbound-mail";
import { jobGroups } from "~/db/schema/infrastructure";
import { settings } from "~/db/schema/site";
import { attachments } from "~/db/schema/subjects";
import { STORE_CHECK } from "~/features/health/system-status.server";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { minutes, seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import * as dashboardRoute from "~/routes/_admin.admin._index";
import * as route from "~/routes/_admin.admin.settings";
import { flash, staffMember, withFreshProof } from "../support/admin-area";
import { derive, type TestContext, testContext } from "../support/context";
import { mailIn } from "../support/inbound-mail";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { pageAt } from "../support/page";
import type { Fields } from "../support/requests";
import { saveSetting, settingsForm } from "../support/settings";

const SIGN_UP = "/admin/settings?tab=general&part=sign-up";
const page = pageAt("/admin/settings", route);
const dashboard = pageAt("/admin", dashboardRoute);

const readAdvanced = async (ctx: TestContext) => (await page.read(ctx, "/admin/settings?tab=advanced")).advanced;
const read = async (ctx: TestContext) => ({ checks: (await readAdvanced(ctx))?.checks ?? [] });

const stateOf = (checks: { name: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]));

/** Stores what a run leaves of the job that looks at the stores. */
async function storesWereChecked(ctx: TestContext, { ok }: { ok: boolean }) {
  const now = ctx.now();
  const state = { start: now, duration: 0, ok: ok ? now : null, error: null, failures: 0, due: now };
  await ctx.db.update(jobGroups).set({ ran_at: now });
  const jobs = { [STORE_CHECK]: state };
  await ctx.db.update(jobGroups).set({ jobs }).where(eq(jobGroups.name, "upkeep"));
}

test("every check says how it came out, and a layer without keys says that it is off", async () => {
  const { ctx } = await staffMember();
  await storesWereChecked(ctx, { ok: true });
  const { checks } = await read(ctx);
  expect(stateOf(checks)).toMatchObject({ Database: "ok", "File store": "ok", "Bot check": "off" });
  expect(checks.every(({ at }) => at <= ctx.now())).toBe(true);
});

test("the page names what is installed: migrations, the size of the database, and when each job ran", async () => {
  const { ctx } = await staffMember();
  await storesWereChecked(ctx, { ok: true });
  const advanced = await readAdvanced(ctx);
  const { facts, migrations, jobs: ran } = advanced?.installed ?? { facts: [], migrations: [], jobs: [] };
  expect(migrations.length).toBeGreaterThan(0);
  expect(facts.find(({ term }) => term === "Database")?.detail).toMatch(/^[\d.]+ (KB|MB) of .* \(\d\.\d%\)$/);
  expect(ran).toMatchObject([{ name: STORE_CHECK, lastOk: ctx.now(), error: null }]);
  expect(advanced?.checks.find(({ name }) => name === "Bot check")).toMatchObject({
    wanted: "On",
    fix: expect.stringContaining("TURNSTILE_SITE_KEY"),
  });
});

test("the files are counted as they come and go", async () => {
  const { ctx } = await staffMember();
  const fact = async () => (await readAdvanced(ctx))?.installed?.facts.find(({ term }) => term === "Files")?.detail;
  expect(await fact()).toBe("0 files, 0 bytes");
  const file = { name: "plan.pdf", kind: "pdf", sha256: "", created_at: ctx.now() };
  await ctx.db.insert(attachments).values([
    { ...file, id: "att_1", r2_key: "att/1", size: 1024 },
    { ...file, id: "att_2", r2_key: "att/2", size: 4096 },
  ]);
  expect(await fact()).toBe("2 files, 5 KB");
  await ctx.db.delete(attachments).where(eq(attachments.id, "att_2"));
  expect(await fact()).toBe("1 file, 1 KB");
});

test("records of the mail domain are looked up: found, missing, twice, and no answer at all", async () => {
  const { ctx } = await staffMember();
  const dns = async (domain: string, answers: Record<string, string[] | "down">) => {
    const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
      const { searchParams } = new URL(String(input));
      const isMx = searchParams.get("type") === "MX";
      const answer = answers[`${isMx ? "MX " : ""}${searchParams.get("name")}`] ?? [];
      if (answer === "down") throw new TypeError("no network");
      const type = isMx ? 15 : 16;
      return Response.json({ Status: answer.length > 0 ? 0 : 3, Answer: answer.map((data) => ({ type, data })) });
    });
    const sending = { ...ctx.config, MAIL_PROVIDER: "http" as const, MAIL_FROM: `Acme <hello@${domain}>` };
    const { checks } = await read(derive(ctx, { config: sending }));
    asked.mockRestore();
    return Object.fromEntries(
      checks
        .filter(({ name }) => name.startsWith("DNS: "))
        .map(({ name, state, detail }) => [name.slice(5), [state, detail]]),
    );
  };
  expect(
    await dns("well.example", {
      "well.example": ['"v=spf1 include:_spf.example " "-all"'],
      "resend._domainkey.well.example": ['"p=MIGfMA0"'],
      "_dmarc.well.example": ['"v=DMARC1; p=none"'],
      "MX well.example": ["10 mx.well.example."],
    }),
  ).toEqual({
    SPF: ["ok", "v=spf1 include:_spf.example -all"],
    DKIM: ["ok", "p=MIGfMA0"],
    DMARC: ["ok", "v=DMARC1; p=none"],
    MX: ["ok", "10 mx.well.example."],
  });
  expect(
    await dns("ill.example", { "ill.example": ['"v=spf1 -all"', '"v=spf1 mx"'], "_dmarc.ill.example": "down" }),
  ).toMatchObject({
    SPF: ["attention", "2 SPF records found: receivers then trust none"],
    DKIM: ["attention", "No key found"],
    DMARC: ["unknown", "The DNS service gave no answer"],
  });
});

test("what came and went by mail is counted, and mail that could not be read needs attention", async () => {
  const { ctx } = await staffMember();
  const detail = async (name: string) => (await read(ctx)).checks.find((check) => check.name === name);
  expect(await detail("Mail that arrived")).toMatchObject({ state: "ok", detail: "None yet; 0 mails held, 0 failed" });
  expect(await detail("Mail not delivered")).toMatchObject({ detail: "0 mails; 0 addresses are held" });
  await mailIn(ctx, { from: "stranger@elsewhere.example" });
  ctx.clock.advance(minutes(5));
  expect((await detail("Mail that arrived"))?.detail).toMatch(/^Last 5\smin ago; 1 mail held, 0 failed$/);
  await ctx.db.update(inboundMail).set({ state: "received" });
  expect((await detail("Mail that arrived"))?.detail).toMatch(/; oldest not processed has waited 5\smin$/);
  expect(await detail("Mail that arrived")).toMatchObject({ state: "ok" });
  ctx.clock.advance(minutes(10));
  expect(await detail("Mail that arrived")).toMatchObject({ state: "attention" });
  await ctx.db.update(inboundMail).set({ state: "failed" });
  expect(await detail("Mail that arrived")).toMatchObject({ state: "attention" });
  await ctx.db.delete(inboundMail);
});

test("without a mail provider no record is looked up", async () => {
  const { ctx } = await staffMember();
  const asked = vi.spyOn(globalThis, "fetch");
  const { checks } = await read(ctx);
  expect(checks.find(({ name }) => name === "DNS: SPF")).toMatchObject({
    state: "off",
    wanted: "One TXT record at wrenfield.example that begins with v=spf1",
  });
  expect(asked).not.toHaveBeenCalled();
});

test("a file store that does not answer needs attention here and on the dashboard, which leads here", async () => {
  const { ctx } = await staffMember();
  await storesWereChecked(ctx, { ok: false });
  expect(stateOf((await read(ctx)).checks)).toMatchObject({ Database: "ok", "File store": "attention" });
  const { status } = await dashboard.read(ctx);
  expect(status).toMatchObject({ operational: false, reportTo: "/admin/settings?tab=advanced" });
  expect(status.problems).toContain("The file store has not answered for five minutes");
});

test("a technician is told what is wrong and led nowhere they may not go", async () => {
  const { ctx } = await staffMember("moderator");
  const { status } = await dashboard.read(ctx);
  expect(status.reportTo).toBeNull();
});

test("settings have the six tabs of the specification, and mail is a part of the second, also at its former address", async () => {
  const { ctx } = await staffMember();
  const open = (query: string) => page.read(ctx, `/admin/settings?${query}`);
  const { tabs, parts, group, mailSetup } = await open("tab=mail&code=123456");
  const labels = tabs.map(({ label }) => label).join();
  expect(labels).toBe("Account,General,Notifications,Security,Data,Advanced");
  expect(tabs.find(({ current }) => current)?.label).toBe("General");
  expect(parts.filter(({ current }) => current)).toMatchObject([{ label: "Mail" }]);
  expect([group, mailSetup]).toEqual([null, expect.any(Object)]);
  expect((await open("tab=notifications&part=mail-setup")).mailSetup).toBeNull();
});

describe("who may sign up, and who can be invited", () => {
  const save = (ctx: TestContext, fields: Fields) =>
    page.send(ctx, SIGN_UP, "settings-sign-up", { intent: "sign-up", version: "0", ...fields });
  const stored = async ({ db }: TestContext) => {
    const { signUpPolicy, onlyInviteExistingAccounts } = await getSettings(db);
    return [signUpPolicy, onlyInviteExistingAccounts];
  };

  afterEach(async () => {
    await testContext().db.delete(settings);
  });

  test("is saved, counts at once, and the audit says in words what has changed", async () => {
    const { ctx, base, person } = await staffMember();
    expect((await page.read(ctx, SIGN_UP)).group).toMatchObject({ version: 0, lastChange: null });
    await save(ctx, { sign_up_policy: "open", only_existing_accounts: "" });
    expect(flash(base)).toBe("No changes to save: ");
    await save(ctx, { sign_up_policy: "approval", only_existing_accounts: "on" });
    expect(flash(base)).toMatch(/^Settings Saved: /);
    expect(await stored(ctx)).toEqual(["approval", true]);
    const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
    expect(JSON.parse(event?.meta_json ?? "{}")).toEqual({
      before: { signUpPolicy: "open", onlyInviteExistingAccounts: false },
      after: { signUpPolicy: "approval", onlyInviteExistingAccounts: true },
      changed: ["Sign-up policy: Open to Approval", "Only invite existing accounts: on"],
    });
  });

  test("that the database does not take, or whose form is forged, are kept as they were typed", async () => {
    const { ctx } = await staffMember();
    const failing = interruptedBeforeCommit(ctx, () => Promise.reject(new Error("D1 is down")));
    const values = { sign_up_policy: "approval" };
    const lost = await save(failing, values);
    const form = "Failed to save settings";
    expect([lost.status, await lost.json()]).toMatchObject([503, { title: "Error", errors: { form }, values }]);
    const forged = await save(ctx, { ...values, form_token: "forged" });
    expect([forged.status, await forged.json()]).toMatchObject([400, { errors: { form: expect.any(String) } }]);
    expect(await stored(ctx)).toEqual(["open", false]);
  });

  test("needs a proof of identity of the last ten minutes, and keeps the choice", async () => {
    const { ctx, base } = await staffMember();
    base.clock.advance(minutes(11));
    const choice = { sign_up_policy: "invite_only", only_existing_accounts: "on" };
    const asked = await save(ctx, choice);
    expect([asked.status, await asked.json()]).toMatchObject([
      200,
      { title: "Before it is saved", errors: {}, values: choice, identity: { mfaEnabled: true, method: "totp" } },
    ]);
    const proof = { ...choice, current_password: "", code: "", method: "totp" };
    const other = await save(ctx, { ...proof, other_method: "backup" });
    expect(await other.json()).toMatchObject({ errors: {}, values: choice, identity: { method: "backup" } });
    const answer = await save(ctx, proof);
    const errors = { current_password: expect.any(String) };
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { title: "Verification Required", errors, values: choice, identity: {} },
    ]);
    expect(await stored(ctx)).toEqual(["open", false]);
    expect((await save(withFreshProof(ctx), choice)).status).toBe(303);
  });
});

describe("two forms at once", () => {
  afterEach(async () => {
    await testContext().db.delete(settings);
  });

  test("hours that were saved while somebody wrote on the brand are not put back by its form", async () => {
    const { send, shown } = await settingsForm("company");
    const before = await shown();
    await saveSetting("hours", { hours_wednesday: "08:00-12:00" });
    const late = await send({ ...before, phone: "(212) 555-0199" });
    const { stored } = await late.json();
    expect([late.status, stored?.map(({ label }) => label)]).toEqual([409, ["Phone", "Business hours"]]);
    expect((await send({ phone: "(212) 555-0199" })).status).toBe(303);
    const ctx = await saveSetting("hours", { hours_wednesday: "" });
    expect((await effectiveBrand(ctx)).hours).toBe("Monday-Tuesday 8am-6pm, Thursday-Friday 8am-6pm");
  });

  test("a retention that takes effect later is not said to count from now on", async () => {
    const { ctx, base, path, shown } = await settingsForm("retention", "data");
    const save = async (retention_days: string) => {
      const fields = { ...(await shown()), intent: "retention", retention_days, decision: "delete-0" };
      await page.send(ctx, path, "settings-retention", fields);
      return flash(base);
    };
    expect(await save("3000")).toBe("Settings Saved: They count from now on.");
    expect(await save("30")).toMatch(/^Settings Saved: Until .+ the former rule counts: it is 3,000 days\.$/);
  });

  test("a setting that keeps when it was saved is saved once, and said to be, where its form arrives twice at once", async () => {
    const { ctx, base, path, shown } = await settingsForm("retention", "data");
    const fields = { ...(await shown()), intent: "retention", retention_days: "3000", decision: "delete-0" };
    const request = { ...fields, form_token: issueFormToken(ctx, "settings-retention") };
    const save = (context: TestContext) => page.post(context, path, request);
    const racing = interruptedBeforeCommit(ctx, async () => {
      base.clock.advance(seconds(1));
      expect((await save(ctx)).status).toBe(303);
    });
    expect((await save(racing)).status).toBe(303);
    expect(await shown()).toMatchObject({ retention_days: "3000", version: "1" });
  });
});
