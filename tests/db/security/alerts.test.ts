import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { notificationPreferences, notifications } from "~/db/schema/notifications";
import { mfaAuditLog, securityAlerts } from "~/db/schema/security";
import { rateLimitAttempts } from "~/db/schema/sessions";
import type { StaffActor } from "~/features/auth/guards.server";
import { acknowledgeAlert } from "~/features/security/actions.server";
import { raiseAlerts } from "~/features/security/alerts.server";
import { days, hours, minutes } from "~/lib/time";
import { takeLimit } from "~/platform/rate-limits.server";
import { type TestContext, testContext, WEDNESDAY } from "../../support/context";
import { as, makePerson, type Person, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

let ctx: TestContext;
let admin: Person;
let person: Person;

/** Gives each test a day of its own: the log of failed codes keeps those of the tests before. */
let today = WEDNESDAY;

beforeEach(async () => {
  ctx = testContext();
  today += days(1);
  ctx.clock.set(today);
  for (const table of [notifications, securityAlerts, rateLimitAttempts, userRoles]) await ctx.db.delete(table);
  admin = await makePerson(ctx, { role: "admin" });
  person = await makePerson(ctx);
});

/** Records failed codes, each some time ago. */
const fail = async (ago: number | number[], { id } = person, action = "verify_challenge") => {
  const failed = { user_id: id, action, method: "totp", success: 0, failure_reason: "wrong_code" };
  const times = [ago].flat().map((each) => ({ ...failed, created_at: ctx.now() - each }));
  await ctx.db.insert(mfaAuditLog).values(times);
};
const failures = (...ago: number[]) => fail(ago);
const alertsOf = async () => {
  const rows = await ctx.db
    .select()
    .from(securityAlerts)
    .where(eq(securityAlerts.user_id, person.id))
    .orderBy(securityAlerts.last_at, securityAlerts.attempts);
  return rows.map(({ kind, severity, attempts, closed_at }) => [
    ...[kind, severity, attempts],
    closed_at === null ? "open" : "closed",
  ]);
};
const openId = async () =>
  (await ctx.db.select().from(securityAlerts).where(sql`user_id = ${person.id} AND closed_at IS NULL`))[0]?.id ?? "";
const actorOf = (by: Person) => signedInAs(by, ctx.now()) as StaffActor;
const acknowledge = (alertId: string, { by = admin, note = "", context = ctx } = {}) =>
  acknowledgeAlert(as(context, by), actorOf(by), { alertId, note });
const mails = async () => {
  await ctx.settle();
  return ctx.sent.filter(({ subject }) => subject.includes("security alert")).map(({ to, subject }) => [to, subject]);
};

test("one or two failed codes are a failed MFA, three within the hour are suspicious, five a high alert", async () => {
  await failures(minutes(50));
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["failed_mfa", "medium", 1, "open"]]);
  await failures(minutes(20));
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["failed_mfa", "medium", 2, "open"]]);
  await failures(minutes(1));
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([
    ["failed_mfa", "medium", 2, "closed"],
    ["suspicious_activity", "medium", 3, "open"],
  ]);
  // At the same instant as the one before.
  await failures(minutes(1), minutes(1));
  await raiseAlerts(ctx);
  expect((await alertsOf()).at(-1)).toEqual(["suspicious_activity", "high", 5, "open"]);
});

test("failures of more than an hour ago do not count, nor do those of somebody else", async () => {
  const other = await makePerson(ctx);
  await failures(hours(1), hours(1) + 1, minutes(59), minutes(1));
  await fail(minutes(2), other);
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["failed_mfa", "medium", 2, "open"]]);
  ctx.clock.advance(hours(1));
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["failed_mfa", "medium", 2, "closed"]]);
});

test("a failed set-up alone is no alert, and counts with others", async () => {
  await fail(minutes(3), person, "setup");
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([]);
  await fail(minutes(2), person, "setup");
  await fail(minutes(1), person, "setup");
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["suspicious_activity", "medium", 3, "open"]]);
});

test("an open alert stays one, however often and at once the job runs, and does not become less", async () => {
  await failures(1, 2, 3, 4, 5);
  await Promise.all([raiseAlerts(ctx), raiseAlerts(ctx), raiseAlerts(ctx)]);
  await raiseAlerts(ctx);
  ctx.clock.advance(minutes(58));
  await failures(1);
  ctx.clock.advance(minutes(2));
  await failures(1, 2);
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["suspicious_activity", "high", 5, "open"]]);
  const told = await ctx.db.select().from(liveEvents).where(eq(liveEvents.subject_id, person.id));
  expect(told.map(({ type, label }) => [type, label])).toEqual([
    ["mfa_event", `High alert, ${person.fullName}: 5 failed two-step sign-ins within an hour`],
  ]);
  expect(ctx.notified).toContain("staff");
});

test("what was acknowledged is not raised again, until something new happens", async () => {
  await failures(1, 2, 3);
  await raiseAlerts(ctx);
  expect(await acknowledge(await openId())).toEqual({ outcome: "acknowledged" });
  await raiseAlerts(ctx);
  ctx.clock.advance(minutes(30));
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["suspicious_activity", "medium", 3, "closed"]]);
  await failures(1);
  await raiseAlerts(ctx);
  expect((await alertsOf()).at(-1)).toEqual(["suspicious_activity", "medium", 4, "open"]);
});

test("somebody who is blocked is a medium alert, from ten attempts on a high one, and a network has no account", async () => {
  const block = (attempt_type: string, identifier: string, attempts: number, blocked_until: number | null) =>
    ctx.db
      .insert(rateLimitAttempts)
      .values({ attempt_type, identifier, attempts, blocked_until, last_attempt_at: today - 1 });
  await block("login_account", `user:${person.id}`, 9, today + 1);
  await block("login_device", `${person.id}:dev_1`, 10, today + 1);
  await block("login_ip", "203.0.113.77", 30, today + 1);
  await block("login_account", "anon:abcdef12", 5, today + 1);
  // Over; never blocked; not a sign-in.
  await block("mfa", person.id, 10, today);
  await block("login_account", `user:${admin.id}`, 4, null);
  await block("search_user", admin.id, 120, today + 1);
  await raiseAlerts(ctx);
  expect(await ctx.db.select().from(securityAlerts).orderBy(securityAlerts.subject)).toMatchObject([
    { kind: "account_lockout", subject: "login_account anon:abcdef12", user_id: null, severity: "medium" },
    { subject: `login_account user:${person.id}`, user_id: person.id, severity: "medium", attempts: 9 },
    { subject: `login_device ${person.id}:dev_1`, user_id: person.id, severity: "high", attempts: 10 },
    { subject: "login_ip 203.0.113.77", user_id: null, severity: "high", attempts: 30 },
  ]);
});

test("the limit of the sign-in raises the alert by itself, at its fifth attempt and not before", async () => {
  for (let attempt = 0; attempt < 4; attempt += 1)
    await takeLimit(ctx.db, "login_account", `user:${person.id}`, ctx.now());
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([]);
  await takeLimit(ctx.db, "login_account", `user:${person.id}`, ctx.now());
  await raiseAlerts(ctx);
  expect(await alertsOf()).toEqual([["account_lockout", "medium", 5, "open"]]);
});

test("every administrator gets one mail about high alerts, and none about medium ones; those that follow soon wait", async () => {
  const second = await makePerson(ctx, { role: "admin" });
  await makePerson(ctx, { role: "moderator" });
  await makePerson(ctx, { role: "admin", status: "deactivated" });
  await failures(1, 2, 3);
  await raiseAlerts(ctx);
  expect(await mails()).toEqual([]);
  await failures(4, 5);
  await Promise.all([raiseAlerts(ctx), raiseAlerts(ctx)]);
  await raiseAlerts(ctx);
  const expected = [admin, second].map(({ email }) => [email, "High security alert"]).sort();
  expect((await mails()).sort()).toEqual(expected);
  const text = ctx.sent.find(({ to }) => to === admin.email)?.text ?? "";
  expect(text).toContain(person.fullName);
  expect(text).toContain("5 failed two-step sign-ins within an hour");
  expect(text).toContain("/admin/security");
  const others = [await makePerson(ctx), await makePerson(ctx)];
  for (const other of others) await fail([1, 2, 3, 4, 5], other);
  await raiseAlerts(ctx);
  expect(await mails()).toHaveLength(2);
  ctx.clock.advance(minutes(10));
  await raiseAlerts(ctx);
  expect((await mails()).slice(2).map(([, subject]) => subject)).toEqual(Array(2).fill("2 high security alerts"));
});

test("of two administrators who acknowledge at once one is told of the other; a second time changes nothing", async () => {
  const second = await makePerson(ctx, { role: "admin", fullName: "Morgan Hale" });
  await failures(1, 2, 3);
  await raiseAlerts(ctx);
  const id = await openId();
  const results = await Promise.all([acknowledge(id, { note: "It was me" }), acknowledge(id, { by: second })]);
  expect(results.map(({ outcome }) => outcome).sort()).toEqual(["acknowledged", "already"]);
  const winner = results[0]?.outcome === "acknowledged" ? admin : second;
  const loser = winner === admin ? second : admin;
  expect(await acknowledge(id, { by: loser })).toEqual({ outcome: "already", by: winner.fullName, isOwn: false });
  expect(await acknowledge(id, { by: winner })).toEqual({ outcome: "already", by: winner.fullName, isOwn: true });
  const recorded = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, person.id));
  expect(recorded).toMatchObject([{ action: "security.alert_acknowledged", actor_id: winner.id }]);
  expect(await acknowledge("alr_missing")).toEqual({ outcome: "not_found" });
});

test("whoever loses the role between look and change acknowledges nothing, nor what has ended by itself", async () => {
  await failures(1, 2, 3);
  await raiseAlerts(ctx);
  const id = await openId();
  const context = interruptedBeforeCommit(ctx, () => ctx.db.delete(userRoles).where(eq(userRoles.user_id, admin.id)));
  expect(await acknowledge(id, { context })).toEqual({ outcome: "denied" });
  await ctx.db.update(securityAlerts).set({ closed_at: ctx.now() }).where(eq(securityAlerts.id, id));
  expect(await acknowledge(id)).toEqual({ outcome: "over" });
});

test("alerts about a person go with the person", async () => {
  await failures(1, 2, 3);
  await raiseAlerts(ctx);
  await ctx.db.delete(users).where(eq(users.id, person.id));
  expect(await alertsOf()).toEqual([]);
});

test("administrators read of an alert once, without a name, and get the mail unless they have switched it off", async () => {
  const other = await makePerson(ctx, { role: "admin" });
  await makePerson(ctx, { role: "moderator" });
  await ctx.db
    .insert(notificationPreferences)
    .values({ user_id: other.id, event: "security_alert", by_mail: false, in_app: true });
  await failures(1, 2, 3, 4, 5);
  await raiseAlerts(ctx);
  await raiseAlerts(ctx);
  const told = await ctx.db.select().from(notifications).where(eq(notifications.event, "security_alert"));
  expect(told.map(({ user_id }) => user_id).sort()).toEqual([admin.id, other.id].sort());
  expect(told[0]).toMatchObject({ subject_type: "user", subject_id: person.id });
  expect(told[0]?.label).not.toContain(person.fullName);
  expect((await mails()).map(([to]) => to)).toEqual([admin.email]);
});
