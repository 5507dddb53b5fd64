import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { securityAlerts, userMfaSettings } from "~/db/schema/security";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { securityActions } from "~/features/security/actions.server";
import type { FactorCoverage } from "~/features/security/model";
import { days, minutes } from "~/lib/time";
import { formTokens } from "~/platform/form-actions.server";
import { loader as layout } from "~/routes/_admin";
import * as centerRoute from "~/routes/_admin.admin.security._index";
import * as sessionsRoute from "~/routes/_admin.admin.security.sessions";
import { flash, staffMember } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { fillMonitoring } from "../support/filled-security";
import { pageAt } from "../support/page";
import { expectNoScan, recordedContext } from "../support/recorded-database";
import { args, costOf, get } from "../support/requests";
import { openMonitoring, recordMfaEvent } from "../support/security-pages";

const center = pageAt("/admin/security", centerRoute);
const sessionsPage = pageAt("/admin/security/sessions", sessionsRoute);

let untouched: Awaited<ReturnType<typeof openMonitoring>>;

beforeAll(async () => {
  untouched = await openMonitoring((await staffMember()).ctx);
});

beforeEach(async () => {
  const { db } = testContext();
  await db.batch([db.delete(securityAlerts), db.delete(rateLimitAttempts)]);
});

const raised = async (
  ctx: TestContext,
  person: Person | null,
  more: Partial<typeof securityAlerts.$inferInsert> = {},
) => {
  const id = ctx.newId("alr");
  await ctx.db.insert(securityAlerts).values({
    ...{ id, kind: "suspicious_activity", subject: person?.id ?? id, user_id: person?.id ?? null, severity: "high" },
    ...{ attempts: 5, opened_at: ctx.now(), last_at: ctx.now(), ...more },
  });
  return id;
};

const acknowledge = async (ctx: TestContext, fields: Record<string, string>) => {
  const token = formTokens(ctx, signedInAs(await makePerson(ctx, { role: "admin" }), ctx.now()), securityActions);
  return center.post(ctx, "/admin/security", {
    form_token: token.acknowledge ?? "",
    intent: "acknowledge",
    ...fields,
  });
};

test("without an event the rate is 100 and nothing was counted; then it is that of the last fifty, however many there are", async () => {
  const { ctx, person } = await staffMember();
  expect(untouched.events).toEqual({ counted: 0, failed: 0, newest: [] });
  // What other tests leave is older.
  ctx.clock.advance(days(1));
  for (let ago = 60; ago > 0; ago -= 1)
    await recordMfaEvent(ctx, person, { ago: ago * 1000, ...(ago % 5 === 0 ? { failure: "wrong_code" } : {}) });
  const { counted, failed, newest } = (await openMonitoring(ctx)).events;
  expect([counted, failed, newest.length]).toEqual([50, 10, 10]);
  expect(newest[0]).toMatchObject({ name: person.fullName, email: person.email, userId: person.id, succeeded: true });
  expect(newest.map(({ at }) => ctx.now() - at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((ago) => ago * 1000));
});

test("an alert is acknowledged once: a second post of one's own says so, somebody else's is a conflict", async () => {
  const { ctx, base, person } = await staffMember();
  const victim = await makePerson(ctx);
  const id = await raised(ctx, victim);
  expect((await openMonitoring(ctx)).alerts).toMatchObject([{ id, severity: "high", person: { id: victim.id } }]);
  const tooLong = await acknowledge(ctx, { id, note: "x".repeat(501) });
  expect([tooLong.status, await tooLong.json()]).toEqual([
    400,
    { rejection: "A note can have at most 500 characters.", id, note: "x".repeat(501) },
  ]);
  expect((await acknowledge(ctx, { id, note: " Called her. " })).status).toBe(303);
  expect(flash(ctx)).toBe("Success: The alert was acknowledged.");
  expect((await acknowledge(ctx, { id, note: "" })).status).toBe(303);
  expect(flash(ctx)).toBe("No change: You have acknowledged this alert already.");
  const other = as(base, await makePerson(base, { role: "admin" }));
  const late = await acknowledge(other, { id, note: "Mine" });
  expect([late.status, await late.json()]).toEqual([
    409,
    { rejection: `${person.fullName} has acknowledged this alert already.`, id, note: "Mine" },
  ]);
  const read = await openMonitoring(ctx);
  expect(read.alerts.map((alert) => alert.id)).not.toContain(id);
  expect(read.acknowledged[0]).toMatchObject({ id, note: "Called her.", acknowledgedBy: person.fullName });
  expect((await acknowledge(ctx, { id: "alr_missing", note: "" }).catch((thrown) => thrown)).status).toBe(404);
  expect((await acknowledge(ctx, { id: "' OR 1=1", note: "" })).status).toBe(400);
});

test("ten alerts at most are shown, the newest first, and all of them counted", async () => {
  const { ctx } = await staffMember();
  for (let minute = 0; minute < 12; minute += 1)
    await raised(ctx, null, {
      subject: `login_ip 203.0.113.${minute}`,
      kind: "account_lockout",
      last_at: ctx.now() + minute,
    });
  const { alerts, alertCount } = await openMonitoring(ctx);
  expect(alerts.map(({ lastAt }) => lastAt - ctx.now())).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  expect(alerts[0]).toMatchObject({ about: "Network 203.0.113.0/24", person: null });
  expect(alertCount).toEqual({ count: 12, isMore: false });
});

test("who is blocked is shown while it lasts, with the person where there is one and nothing that was typed", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx);
  const blocked = { attempt_type: "login_account", last_attempt_at: ctx.now() };
  await ctx.db.insert(rateLimitAttempts).values([
    { ...blocked, identifier: `user:${person.id}`, attempts: 6, blocked_until: ctx.now() + minutes(2) },
    { ...blocked, identifier: "anon:0123456789abcdef", attempts: 5, blocked_until: ctx.now() + minutes(1) },
  ]);
  expect((await openMonitoring(ctx)).lockouts).toMatchObject([
    { about: person.fullName, person: { id: person.id }, attempts: 6 },
    { about: "Address without an account (01234567)", person: null, attempts: 5 },
  ]);
  ctx.clock.advance(minutes(2));
  expect((await openMonitoring(ctx)).lockouts).toEqual([]);
});

test("coverage counts who can sign in, and follows roles, factors, deactivation and deletion", async () => {
  const { ctx } = await staffMember();
  const before = (await openMonitoring(ctx)).coverage;
  const change = async () => {
    const now = (await openMonitoring(ctx)).coverage;
    const by = (side: keyof FactorCoverage) =>
      `${side} ${now[side].on - before[side].on} of ${now[side].all - before[side].all}`;
    return `${by("staff")}, ${by("clients")}`;
  };
  const client = await makePerson(ctx, { withTotp: true });
  await makePerson(ctx, { role: "moderator" });
  await makePerson(ctx, { status: "deactivated", withTotp: true });
  expect(await change()).toBe("staff 0 of 1, clients 1 of 1");
  await ctx.db.run(sql`INSERT INTO user_roles(user_id, role) VALUES (${client.id}, 'moderator')`);
  expect(await change()).toBe("staff 1 of 2, clients 0 of 0");
  await ctx.db.update(userMfaSettings).set({ is_enabled: 0 }).where(eq(userMfaSettings.user_id, client.id));
  expect(await change()).toBe("staff 0 of 2, clients 0 of 0");
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, client.id));
  expect(await change()).toBe("staff 0 of 1, clients 0 of 0");
  await ctx.db.delete(users).where(eq(users.id, client.id));
  expect(await change()).toBe("staff 0 of 1, clients 0 of 0");
});

test("the pages cost the same with a thousand rows as with four thousand, in one round trip, by indexes only", async () => {
  const { context, statements } = recordedContext();
  const admin = await makePerson(context, { role: "admin" });
  const ctx = as(context, admin);
  const cost = (page: typeof center | typeof sessionsPage, path: string) =>
    costOf(ctx, () => Promise.all([layout(args(ctx, get(path))), page.open(ctx, path)]));
  const both = async () => [
    await cost(center, "/admin/security"),
    await cost(sessionsPage, "/admin/security/sessions"),
  ];
  await fillMonitoring(ctx, admin.id, [0, 1_000]);
  const small = await both();
  await fillMonitoring(ctx, admin.id, [1_000, 4_000]);
  statements.clear();
  const large = await both();
  for (const [index, { trips, rows }] of large.entries()) {
    expect(trips).toBe(1);
    expect(rows).toBeLessThanOrEqual(Math.ceil((small[index]?.rows ?? 0) * 1.1));
    expect(rows).toBeLessThanOrEqual(390);
  }
  await expectNoScan(statements, 10);
});
