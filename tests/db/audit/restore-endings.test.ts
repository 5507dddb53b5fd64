import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { authChallenges, authTokens, sessions } from "~/db/schema/sessions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { hours } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";
import { BOOKMARK, recordRestore } from "../../support/time-travel";

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

test("what had ended before the restore, and came back with it, ends again: sessions, links, codes", async () => {
  const person = await makePerson(ctx, { role: "admin", withTotp: true });
  const { sessionId } = await makeSession(ctx, person);
  const now = ctx.now();
  const ends = { created_at: now, expires_at: now + hours(1) };
  const ofPerson = { user_id: person.id, email: person.email };
  await ctx.db.insert(authTokens).values({ ...ofPerson, ...ends, id_hash: "open", purpose: "reset" });
  await ctx.db.insert(authChallenges).values({
    ...{ id_hash: "open", user_id: person.id, kind: "verify", max_attempts: 5, epoch: 0 },
    ...ends,
  });
  await ctx.db.run(sql`INSERT INTO invitations(id_hash, user_id, email, invited_by, inviter_name, created_at, expires_at)
    VALUES ('open', ${person.id}, ${person.email}, ${person.id}, 'Dana', ${now}, ${now + hours(1)})`);
  await ctx.db.run(sql`INSERT INTO mfa_backup_codes(id, user_id, set_id, salt, code_hash, created_at)
    VALUES ('bkc_restored', ${person.id}, 'set', 'salt', 'hash', ${now})`);
  expect(await findSignedIn(ctx.db, hashToken(sessionId), now)).not.toBeNull();
  await recordRestore(ctx);
  expect(await findSignedIn(ctx.db, hashToken(sessionId), now)).toBeNull();
  expect(await ctx.db.$count(sessions)).toBe(0);
  expect(await ctx.db.$count(authChallenges)).toBe(0);
  expect(await ctx.db.$count(authTokens, sql`consumed_at IS NULL`)).toBe(0);
  const [invitation] = await ctx.db.all(sql`SELECT consumed_at, expires_at FROM invitations WHERE id_hash = 'open'`);
  expect(invitation).toEqual({ consumed_at: null, expires_at: now });
  const [codes] = await ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM mfa_backup_codes`);
  expect(codes?.count).toBe(0);
});

test("a session of the lost time does not come to life when its account's epoch comes round again", async () => {
  const person = await makePerson(ctx);
  const { sessionId } = await makeSession(ctx, person);
  const row = await ctx.db.select().from(sessions);
  await recordRestore(ctx);
  // A batch that was on its way.
  await ctx.db.insert(sessions).values(row);
  expect(await findSignedIn(ctx.db, hashToken(sessionId), ctx.now())).toBeNull();
});

test("numbers that people know are not given twice", async () => {
  await recordRestore(ctx, { numbers: { ticket: 1040, submission: 5 } });
  const rows = await ctx.db.all<{ name: string; value: number }>(
    sql`SELECT name, value FROM counters WHERE name IN ('ticket', 'submission') ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: "submission", value: expect.any(Number) },
    { name: "ticket", value: 1040 },
  ]);
  expect(rows[0]?.value).toBeGreaterThanOrEqual(1000);
});

test("the event has the columns of one that the product records", async () => {
  await recordRestore(ctx);
  const [event] = await ctx.db.all<Record<string, unknown>>(
    sql`SELECT * FROM audit_events WHERE subject_type = 'database' ORDER BY id DESC LIMIT 1`,
  );
  await commit(ctx.db, [
    recordAudit(ctx, "security.database_restored", {
      subject: { type: "database", id: String(event?.subject_id), label: null },
      meta: JSON.parse(String(event?.meta_json)),
      actor: { id: null, role: "system", name: "The system", email: null },
    }),
  ]);
  const [expected] = await ctx.db.all<Record<string, unknown>>(
    sql`SELECT * FROM audit_events ORDER BY id DESC LIMIT 1`,
  );
  expect({ ...event, id: expected?.id }).toEqual({ ...expected, ip: null, request_id: null });
  expect(JSON.parse(String(event?.meta_json))).toMatchObject({ bookmark: BOOKMARK, kept: expect.any(Number) });
});
