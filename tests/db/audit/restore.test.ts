import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { BrokenAuditError, copyAudit, listCopies, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { purgeAudit } from "~/jobs/purge-audit.server";
import { days, hours } from "~/lib/time";
import { readFeed } from "../../support/activity";
import { type TestContext, testContext } from "../../support/context";
import {
  dayOf,
  emptyAudit,
  newestId,
  record,
  recordRestore,
  stateOfNow,
  tamper,
  travelTo,
} from "../../support/time-travel";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  // The retention is counted by the database's own clock.
  ctx.clock.set(Date.now());
  await emptyAudit(ctx);
});

describe("after a restore that is recorded", () => {
  let lost: number;

  beforeEach(async () => {
    await dayOf(ctx, "ada", "ben");
    await record(ctx, "cy");
    const before = await stateOfNow();
    await dayOf(ctx, "di", "eve", "fay");
    await dayOf(ctx, "gus");
    lost = await newestId(ctx);
    await travelTo(before);
    await recordRestore(ctx, { lostThrough: lost });
  });

  test("new events, whose ids are those of lost ones, are sealed and copied, and everything fits", async () => {
    expect(await dayOf(ctx, "hal")).toEqual({ count: 3, more: false });
    expect(await newestId(ctx)).toBeLessThan(lost);
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
    // The ids pass those that were lost.
    expect(await dayOf(ctx, "ida", "jo", "kim", "lou")).toEqual({ count: 4, more: false });
    expect(await newestId(ctx)).toBeGreaterThan(lost);
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
    expect(await copyAudit(ctx)).toEqual({ count: 0, more: false });
  });

  test("the copies of what was lost are still there, told apart from the new ones by the epoch", async () => {
    await dayOf(ctx, "hal");
    const copies = await listCopies(ctx);
    expect(copies.map(({ epoch }) => epoch > 0)).toEqual([false, false, false, true]);
    expect(copies.some(({ epoch, through }) => epoch === 0 && through === lost)).toBe(true);
  });

  test("the activity says which state the database went back to, and how far the record went", async () => {
    expect((await readFeed(ctx.db)).entries[0]).toMatchObject({
      sentence: "The system restored the database to the state of 2026-11-18 15:00 UTC",
      details: `the record went up to event ${lost} before`,
    });
    expect((await readFeed(ctx.db, "q=state+of+2026-11-18")).entries).toHaveLength(1);
  });

  test.each([
    ["what was copied before it", "ORDER BY id LIMIT 1"],
    ["what was recorded before it, and copied after it", "ORDER BY id LIMIT 1 OFFSET 2"],
    ["the event that tells of it", "WHERE subject_type = 'database'"],
    ["what was recorded after it", "ORDER BY id DESC LIMIT 1"],
  ])("a change of %s is found, even when the whole chain is computed anew with the key", async (_, which) => {
    await dayOf(ctx, "hal");
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
    await tamper(`UPDATE audit_events SET ip = '192.0.2.1' WHERE id = (SELECT id FROM audit_events ${which})`);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
    await tamper("DELETE FROM audit_seals");
    await sealAudit(ctx);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
  });

  test("written a second time, because its answer was lost, it is one event and one epoch", async () => {
    const recorded = async () => [
      await ctx.db.all(sql`SELECT * FROM audit_events WHERE subject_type = 'database'`),
      await ctx.db.all(sql`SELECT * FROM counters WHERE name LIKE 'audit.epoch.%'`),
    ];
    const before = await recorded();
    const [epoch] = await ctx.db.all<{ name: string }>(sql`SELECT name FROM counters WHERE name LIKE 'audit.epoch.%'`);
    await dayOf(ctx, "hal");
    await recordRestore(ctx, { epoch: Number(epoch?.name.split(".").at(-1)), lostThrough: lost });
    expect(await recorded()).toEqual(before);
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
  });

  test("after 400 days its event goes with the others, and what it says still counts", async () => {
    await dayOf(ctx, "hal");
    const age = days(401) + hours(1);
    // The database keeps events by its own clock.
    await tamper(`UPDATE audit_events SET at = at - ${age}`);
    await tamper("DELETE FROM audit_seals");
    await sealAudit(ctx);
    const copies = await listCopies(ctx);
    expect(copies).toHaveLength(4);
    ctx.clock.advance(days(401));
    await purgeAudit(ctx);
    // What was lost goes at that age, whatever its ids.
    expect((await listCopies(ctx)).filter(({ epoch }) => epoch === 0)).toEqual([]);
    expect(await dayOf(ctx, "ida")).toMatchObject({ count: expect.any(Number) });
    expect((await listCopies(ctx)).at(-1)?.epoch).toBe(copies.at(-1)?.epoch);
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
  });
});

test("a second restore, to a state that does not know of the first, and its undo, are as good as one", async () => {
  await dayOf(ctx, "ada");
  const first = await stateOfNow();
  await dayOf(ctx, "ben", "cy");
  await travelTo(first);
  await recordRestore(ctx);
  await dayOf(ctx, "di", "eve", "fay");
  const second = await stateOfNow();
  await dayOf(ctx, "gus");
  for (const state of [first, second]) {
    await travelTo(state);
    await recordRestore(ctx);
    await dayOf(ctx, "hal", "ida");
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
  }
  await tamper("UPDATE audit_events SET ip = '192.0.2.1' WHERE subject_id = 'usr_di'");
  await tamper("DELETE FROM audit_seals");
  await sealAudit(ctx);
  await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
});

describe("a database that goes back and does not say so", () => {
  test("is found out, and nothing is copied from it, until the restore is recorded", async () => {
    await dayOf(ctx, "ada");
    const before = await stateOfNow();
    await dayOf(ctx, "ben", "cy");
    const lost = await newestId(ctx);
    await travelTo(before);
    await expect(verifyAudit(ctx)).rejects.toThrow(`event ${lost}`);
    for (const name of ["di", "eve", "fay"]) await record(ctx, name);
    await sealAudit(ctx);
    await expect(verifyAudit(ctx)).rejects.toThrow(`event ${lost}`);
    await expect(copyAudit(ctx)).rejects.toThrow(`up to event ${lost}`);
    expect(await listCopies(ctx)).toHaveLength(2);
    await recordRestore(ctx);
    expect(await dayOf(ctx, "gus")).toMatchObject({ count: 5 });
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
  });

  test("is found out when it goes back behind a restore that was recorded", async () => {
    await dayOf(ctx, "ada");
    const before = await stateOfNow();
    await dayOf(ctx, "ben");
    await travelTo(before);
    await recordRestore(ctx);
    await dayOf(ctx, "cy");
    await travelTo(before);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
    await expect(copyAudit(ctx)).rejects.toThrow("does not have what was copied");
  });

  test("is found out as well when the restore behind which it goes back had lost nothing that was copied", async () => {
    await dayOf(ctx, "ada");
    const before = await stateOfNow();
    await recordRestore(ctx);
    await dayOf(ctx, "ben");
    await travelTo(before);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
    await expect(copyAudit(ctx)).rejects.toThrow("does not have what was copied");
  });

  test("does not get away with an epoch of which no event tells, nor with an event that no epoch has", async () => {
    await dayOf(ctx, "ada");
    const before = await stateOfNow();
    await dayOf(ctx, "ben");
    await travelTo(before);
    await tamper(`INSERT INTO counters(name, value) VALUES ('audit.epoch.${ctx.now()}', 0)`);
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
    await tamper("DELETE FROM counters WHERE name LIKE 'audit.epoch.%'");
    await recordRestore(ctx);
    await sealAudit(ctx);
    expect(await verifyAudit(ctx)).toMatchObject({ more: false });
    await tamper("UPDATE counters SET value = value - 1 WHERE name LIKE 'audit.epoch.%'");
    await expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);
  });
});

test("a copy that is written while the database goes back is not taken for one of its past", async () => {
  await dayOf(ctx, "ada");
  const before = await stateOfNow();
  await record(ctx, "ben");
  await sealAudit(ctx);
  const put = ctx.files.put;
  ctx.files.put = async (...file) => {
    await travelTo(before);
    return put(...file);
  };
  await copyAudit(ctx);
  ctx.files.put = put;
  await recordRestore(ctx);
  await dayOf(ctx, "cy");
  expect(await verifyAudit(ctx)).toMatchObject({ more: false });
});
