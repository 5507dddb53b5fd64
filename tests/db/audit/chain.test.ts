import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import {
  BrokenAuditError,
  CHAIN_CHUNK,
  copyAudit,
  listCopies,
  sealAudit,
  verifyAudit,
} from "~/features/audit/chain.server";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { getSystemStatus } from "~/features/health/system-status.server";
import { dispatch } from "~/jobs/dispatch.server";
import { SCHEDULE } from "~/jobs/schedule";
import { days } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { emptyAudit, record, tamper } from "../../support/time-travel";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  // The retention is counted by the database's own clock.
  ctx.clock.set(Date.now());
  await emptyAudit(ctx);
});

const recordMany = async (names: readonly string[]) => {
  for (const name of names) await record(ctx, name);
};

type Row = { id: number; event_id: number | null; prev_hash: string | null; hash: string | null };
const chain = () =>
  ctx.db.all<Row>(sql`SELECT e.id, s.event_id, s.prev_hash, s.hash FROM audit_events e
    LEFT JOIN audit_seals s ON s.event_id = e.id ORDER BY e.id`);

test("each event is sealed once, in the order in which it was recorded, with the seal before it", async () => {
  await recordMany(["ada", "ben"]);
  expect(await sealAudit(ctx)).toEqual({ count: 2, more: false });
  await recordMany(["cy"]);
  expect(await sealAudit(ctx)).toEqual({ count: 1, more: false });
  expect(await sealAudit(ctx)).toEqual({ count: 0, more: false });
  const [first, second, third] = await chain();
  expect(first?.prev_hash).toBe("");
  expect(second?.prev_hash).toBe(first?.hash);
  expect(third?.prev_hash).toBe(second?.hash);
  expect(await verifyAudit(ctx)).toEqual({ count: 3, more: false });
});

test("batches that race each other, and sealing runs that race them, leave one unbroken chain", async () => {
  const people = Array.from({ length: 30 }, (_, index) => `p${index}`);
  await Promise.all(
    people.flatMap((name, index) => (index % 5 === 0 ? [record(ctx, name), sealAudit(ctx)] : [record(ctx, name)])),
  );
  await Promise.all([sealAudit(ctx), sealAudit(ctx), sealAudit(ctx)]);
  await sealAudit(ctx);
  const links = await chain();
  expect(links).toHaveLength(people.length);
  expect(links.map((link) => link.prev_hash)).toEqual(["", ...links.slice(0, -1).map((link) => link.hash)]);
  expect(await verifyAudit(ctx)).toEqual({ count: people.length, more: false });
});

test("more events than one chunk holds are sealed, verified and copied completely", async () => {
  await ctx.db.run(sql`INSERT INTO audit_events(at, actor_role, action, subject_type, subject_id)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CHAIN_CHUNK * 2 + 3})
    SELECT ${ctx.now()}, 'visitor', 'session.started', 'user', 'usr_' || i FROM n`);
  expect(await sealAudit(ctx)).toEqual({ count: CHAIN_CHUNK * 2 + 3, more: false });
  expect(await copyAudit(ctx)).toEqual({ count: CHAIN_CHUNK * 2 + 3, more: false });
  expect(await copyAudit(ctx)).toEqual({ count: 0, more: false });
  expect(await verifyAudit(ctx)).toEqual({ count: CHAIN_CHUNK * 2 + 3, more: false });
  const last = (await chain()).at(-1);
  expect((await listCopies(ctx)).at(-1)).toMatchObject({ through: last?.id, hash: last?.hash });
});

test("the name of a deleted subject leaves the audit, and its chain still fits", async () => {
  await recordMany(["ada", "ben"]);
  await sealAudit(ctx);
  await commit(ctx.db, [eraseAuditLabels(ctx.db, "user", sql`SELECT 'usr_ada'`)]);
  expect(await verifyAudit(ctx)).toEqual({ count: 2, more: false });
});

describe("who can write to the database and drops its triggers is found out when they", () => {
  beforeEach(async () => {
    await recordMany(["ada", "ben", "cy", "di"]);
    await sealAudit(ctx);
    expect(await verifyAudit(ctx)).toEqual({ count: 4, more: false });
  });

  const ids = "(SELECT id FROM audit_events ORDER BY id LIMIT 1 OFFSET 1)";

  test.each([
    ["change who acted", `UPDATE audit_events SET actor_id = 'usr_other' WHERE id = ${ids}`],
    ["change what was before", `UPDATE audit_events SET meta_json = '{}' WHERE id = ${ids}`],
    ["change the time by a millisecond", `UPDATE audit_events SET at = at + 1 WHERE id = ${ids}`],
    ["delete an event", `DELETE FROM audit_events WHERE id = ${ids}`],
    ["delete a seal", `DELETE FROM audit_seals WHERE event_id = ${ids}`],
    ["swap two seals", `UPDATE audit_seals SET hash = prev_hash WHERE event_id = ${ids}`],
    [
      "put an event before the others",
      "INSERT INTO audit_events(id, at, actor_role, action, subject_type) SELECT min(id) - 1, 1, 'admin', 'session.started', 'user' FROM audit_events",
    ],
  ])("%s", async (_, statement) => {
    await tamper(statement);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
  });

  test("delete an event and its seal, and put the rest together", async () => {
    await tamper(`DELETE FROM audit_seals WHERE event_id = ${ids}`);
    await tamper(
      `DELETE FROM audit_events WHERE id = (SELECT id FROM audit_events e WHERE NOT EXISTS (SELECT 1 FROM audit_seals WHERE event_id = e.id))`,
    );
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
  });

  test("cut off the end, once it was copied", async () => {
    await copyAudit(ctx);
    const last = (await chain()).at(-1)?.id;
    await tamper(`DELETE FROM audit_seals WHERE event_id = ${last}`);
    await tamper(`DELETE FROM audit_events WHERE id = ${last}`);
    await expect(verifyAudit(ctx)).rejects.toThrow(`event ${last}`);
  });

  test("compute the whole chain again, even with the key, once it was copied", async () => {
    await copyAudit(ctx);
    await tamper("UPDATE audit_events SET actor_id = 'usr_other'");
    await tamper("DELETE FROM audit_seals");
    await sealAudit(ctx);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
  });
});

test("without the key nobody computes a chain that fits", async () => {
  await recordMany(["ada"]);
  const stranger = { ...ctx, config: { ...ctx.config, LOG_HMAC_KEY: ctx.config.FORM_KEY_1 } };
  await sealAudit(stranger);
  await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
});

test("seals are neither changed nor replaced nor deleted while their events are kept", async () => {
  await recordMany(["ada"]);
  await sealAudit(ctx);
  await expect(ctx.db.run(sql`UPDATE audit_seals SET hash = 'x'`)).rejects.toThrow();
  await expect(ctx.db.run(sql`DELETE FROM audit_seals`)).rejects.toThrow();
  await expect(
    ctx.db.run(sql`INSERT OR REPLACE INTO audit_seals SELECT event_id, '', 'x' FROM audit_seals`),
  ).rejects.toThrow();
});

test("the dashboard says so when the audit does not fit its seals", async () => {
  await recordMany(["ada", "ben"]);
  await dispatch(ctx);
  await dispatch(ctx);
  expect((await getSystemStatus(ctx)).problems).toEqual([]);
  await tamper("UPDATE audit_events SET actor_id = 'usr_other'");
  ctx.clock.advance(days(1));
  await dispatch(ctx);
  expect((await getSystemStatus(ctx)).problems).toEqual([
    expect.stringMatching(/^The audit record is not verified \(.* at event \d+\)$/),
  ]);
  expect(SCHEDULE.map(({ name }) => name)).toContain("verify-audit");
});
