import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { mfaAuditLog } from "~/db/schema/mfa";
import { recordAudit } from "~/features/audit/record-audit.server";
import { recordMfaEvent } from "~/features/audit/record-mfa-event.server";
import { userSubject } from "~/features/users/subject";
import { type TestContext, testContext } from "../../support/context";

let ctx: TestContext;
const person = { userId: "usr_recorded", fullName: "Priya Raman" };

beforeEach(async () => {
  ctx = testContext();
  // The retention is counted by the database's own clock.
  ctx.clock.set(Date.now());
  await commit(ctx.db, [
    recordAudit(ctx, "session.started", { subject: userSubject(person) }),
    ...recordMfaEvent(ctx, person, { action: "verify_challenge", method: "totp" }),
  ]);
});

test("what is recorded can be neither changed nor deleted, not even by our own code", async () => {
  const audit = eq(auditEvents.subject_id, person.userId);
  const mfa = eq(mfaAuditLog.user_id, person.userId);
  const before = [
    await ctx.db.select().from(auditEvents).where(audit),
    await ctx.db.select().from(mfaAuditLog).where(mfa),
  ];
  await expect(ctx.db.update(auditEvents).set({ actor_id: "somebody else" }).where(audit)).rejects.toThrow();
  await expect(ctx.db.delete(auditEvents).where(audit)).rejects.toThrow();
  await expect(ctx.db.update(mfaAuditLog).set({ success: 1 }).where(mfa)).rejects.toThrow();
  await expect(ctx.db.delete(mfaAuditLog).where(mfa)).rejects.toThrow();
  const after = [
    await ctx.db.select().from(auditEvents).where(audit),
    await ctx.db.select().from(mfaAuditLog).where(mfa),
  ];
  expect(after).toEqual(before);
  expect(before.flat().length).toBeGreaterThanOrEqual(2);
});
