import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { mfaAuditLog } from "~/db/schema/security";
import { eraseAuditLabels, recordAudit, recordMfaEvent } from "~/features/audit/record-audit.server";
import { userSubject } from "~/features/users/model";
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

const recorded = async () => [await ctx.db.select().from(auditEvents), await ctx.db.select().from(mfaAuditLog)];

test("what is recorded can be neither changed nor deleted, not even by our own code", async () => {
  const audit = eq(auditEvents.subject_id, person.userId);
  const mfa = eq(mfaAuditLog.user_id, person.userId);
  const before = await recorded();
  await expect(ctx.db.update(auditEvents).set({ actor_id: "somebody else" }).where(audit)).rejects.toThrow();
  await expect(ctx.db.delete(auditEvents).where(audit)).rejects.toThrow();
  await expect(ctx.db.update(mfaAuditLog).set({ success: 1 }).where(mfa)).rejects.toThrow();
  await expect(ctx.db.delete(mfaAuditLog).where(mfa)).rejects.toThrow();
  expect(await recorded()).toEqual(before);
  expect(before.flat().length).toBeGreaterThanOrEqual(2);
});

test("what is recorded cannot be replaced by an insert with its id, nor put between earlier events", async () => {
  const first = sql`(SELECT min(id) FROM audit_events)`;
  const last = sql`(SELECT max(id) FROM audit_events)`;
  const before = await recorded();
  const event = sql`1, 'visitor', 'session.ended', 'user'`;
  const columns = sql.raw("(id, at, actor_role, action, subject_type)");
  for (const id of [first, last, sql`${first} - 1`]) {
    for (const verb of ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL", "INSERT"]) {
      const insert = sql`${sql.raw(verb)} INTO audit_events${columns} SELECT ${id}, ${event}`;
      await expect(ctx.db.run(insert), verb).rejects.toThrow();
    }
    const mfa = sql`INSERT OR REPLACE INTO mfa_audit_log(id, user_id, action, method, success, created_at)
      SELECT ${sql.raw("(SELECT min(id) FROM mfa_audit_log)")}, 'usr_other', 'setup', 'totp', 1, 1`;
    await expect(ctx.db.run(mfa)).rejects.toThrow();
  }
  const upsert = sql`INSERT INTO audit_events${columns} SELECT ${last}, ${event} WHERE 1
    ON CONFLICT(id) DO UPDATE SET action = 'session.ended'`;
  await expect(ctx.db.run(upsert)).rejects.toThrow();
  expect(await recorded()).toEqual(before);
});

describe("the name of what is deleted", () => {
  const audit = eq(auditEvents.subject_id, person.userId);
  const ids = sql`SELECT ${person.userId}`;
  const stored = async () => (await ctx.db.select().from(auditEvents).where(audit)).at(-1);

  test("is cleared, and nothing else of the event is, however often", async () => {
    const before = await stored();
    expect(before).toMatchObject({ subject_label: "Priya Raman", search_text: "priya raman\nsigned in\n" });
    for (let times = 0; times < 2; times += 1) await commit(ctx.db, [eraseAuditLabels(ctx.db, "user", ids)]);
    expect(await stored()).toEqual({ ...before, subject_label: null, search_text: "\nsigned in\n" });
  });

  test.each([
    ["given another", "subject_label = 'Somebody Else'"],
    ["left in what a search looks in", "subject_label = NULL"],
    ["replaced there", "subject_label = NULL, search_text = 'somebody else' || char(10) || 'signed in' || char(10)"],
    ["taken out with what happened", "subject_label = NULL, search_text = ''"],
    ["replaced there alone", "search_text = 'somebody else' || char(10) || 'signed in' || char(10)"],
    ["cut off there alone", "search_text = substr(search_text, instr(search_text, char(10)))"],
  ])("is not %s", async (_, change) => {
    const before = await stored();
    const where = sql`WHERE subject_id = ${person.userId} AND subject_label IS NOT NULL`;
    await expect(ctx.db.run(sql`UPDATE audit_events SET ${sql.raw(change)} ${where}`)).rejects.toThrow();
    expect(await stored()).toEqual(before);
  });

  test("stays when the words behind it are written anew, which is all that may be", async () => {
    const before = await stored();
    const words = sql`search_text = 'priya raman' || char(10) || 'came in' || char(10)`;
    const where = sql`WHERE id = ${before?.id}`;
    await expect(
      ctx.db.run(sql`UPDATE audit_events SET ${words}, action = 'session.ended' ${where}`),
    ).rejects.toThrow();
    await ctx.db.run(sql`UPDATE audit_events SET ${words} ${where}`);
    expect(await stored()).toEqual({ ...before, search_text: "priya raman\ncame in\n" });
  });

  test("goes alone: with it, no other column changes", async () => {
    const columns = await ctx.db.all<{ name: string }>(sql`SELECT name FROM pragma_table_info('audit_events')`);
    const others = columns.map(({ name }) => name).filter((name) => !["subject_label", "search_text"].includes(name));
    expect(others).toContain("meta_json");
    for (const name of others) {
      const change = sql.raw(`"${name}" = 4711, subject_label = NULL`);
      const cut = sql`search_text = substr(search_text, instr(search_text, char(10)))`;
      const statement = sql`UPDATE audit_events SET ${change}, ${cut} WHERE id = ${(await stored())?.id}`;
      await expect(ctx.db.run(statement), name).rejects.toThrow();
    }
  });
});
