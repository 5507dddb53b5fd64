import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents, auditSeals } from "~/db/schema/audit";
import { notifications } from "~/db/schema/notifications";
import { mfaAuditLog } from "~/db/schema/security";
import { copyAudit, listCopies, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { purgeAudit } from "~/jobs/purge-audit.server";
import { purgeExpired } from "~/jobs/purge-expired.server";
import { days, hours, type Instant } from "~/lib/time";
import { testContext } from "../../support/context";
import { makePerson } from "../../support/factories";

// The database keeps, by its own clock, what is younger than 400 days.
const NOW = Date.now();

test("events of the audit go with seal and copy after 400 days, and the chain stays whole", async () => {
  const ctx = testContext();
  const record = async (at: Instant, name: string) => {
    ctx.clock.set(at);
    await recordAudit(ctx, "user.profile_changed", { subject: { type: "user", id: name, label: null } });
    await sealAudit(ctx);
    await copyAudit(ctx);
  };
  for (const [age, name] of [
    [450, "usr_old"],
    [403, "usr_older"],
    [399, "usr_young"],
    [1, "usr_new"],
  ] as const) {
    await record(NOW - days(age), name);
  }
  ctx.clock.set(NOW);
  const countsOf = async () => [
    await ctx.db.$count(auditEvents),
    await ctx.db.$count(auditSeals),
    (await listCopies(ctx)).length,
  ];
  expect(await countsOf()).toEqual([4, 4, 4]);
  expect(await purgeAudit(ctx)).toEqual({ count: 2 });
  expect(await countsOf()).toEqual([2, 2, 2]);
  expect(await ctx.db.$count(auditEvents, eq(auditEvents.subject_id, "usr_older"))).toBe(0);
  expect(await verifyAudit(ctx)).toMatchObject({ count: 2 });
  const [total] = await ctx.db.all<{ value: number }>(sql`SELECT value FROM totals WHERE name = 'activity.all'`);
  expect(total?.value).toBe(2);
  expect(await purgeAudit(ctx)).toEqual({ count: 0 });
  // A clock that is days ahead deletes nothing early, and does not make the run fail.
  ctx.clock.set(NOW + days(3));
  expect(await purgeAudit(ctx)).toEqual({ count: 0 });
  expect(await countsOf()).toEqual([2, 2, 2]);
});

test("the log of second factors is kept for 400 days, notifications for ninety", async () => {
  const ctx = testContext();
  ctx.clock.set(NOW);
  const person = await makePerson(ctx);
  const used = (age: number) => ({
    ...{ user_id: person.id, action: "verify_challenge", method: "totp", success: 1 },
    created_at: NOW - days(age),
  });
  await ctx.db.insert(mfaAuditLog).values([used(402), used(401), used(399)]);
  const told = (age: number) => ({
    ...{ user_id: person.id, event: "test", subject_type: "ticket", subject_id: "tkt_x", label: "x" },
    at: NOW - days(age) + hours(1),
  });
  await ctx.db.insert(notifications).values([told(91), told(90), told(1)]);
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
  expect(await ctx.db.$count(notifications)).toBe(2);
  ctx.clock.set(NOW + days(3));
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
});
