import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { authChallenges, authTokens, sessions } from "~/db/schema/sessions";
import { BrokenAuditError, copyAudit, listCopies, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { purgeAudit } from "~/jobs/purge-audit.server";
import { days, hours } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { readFeed } from "../../support/activity";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";
import {
  BOOKMARK,
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

beforeEach(() => {
  ctx = testContext();
});

const expectWhole = async () => expect(await verifyAudit(ctx)).toMatchObject({ more: false });
const expectBroken = () => expect(verifyAudit(ctx)).rejects.toThrow(BrokenAuditError);

describe("a database that goes back", () => {
  beforeEach(async () => {
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
      await expectWhole();
      // The ids pass those that were lost.
      expect(await dayOf(ctx, "ida", "jo", "kim", "lou")).toEqual({ count: 4, more: false });
      expect(await newestId(ctx)).toBeGreaterThan(lost);
      await expectWhole();
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
      await expectWhole();
      await tamper(`UPDATE audit_events SET ip = '192.0.2.1' WHERE id = (SELECT id FROM audit_events ${which})`);
      await expectBroken();
      await tamper("DELETE FROM audit_seals");
      await sealAudit(ctx);
      await expectBroken();
    });

    test("written a second time, because its answer was lost, it is one event and one epoch", async () => {
      const recorded = async () => [
        await ctx.db.all(sql`SELECT * FROM audit_events WHERE subject_type = 'database'`),
        await ctx.db.all(sql`SELECT * FROM counters WHERE name LIKE 'audit.epoch.%'`),
      ];
      const before = await recorded();
      const [epoch] = await ctx.db.all<{ name: string }>(
        sql`SELECT name FROM counters WHERE name LIKE 'audit.epoch.%'`,
      );
      await dayOf(ctx, "hal");
      await recordRestore(ctx, { epoch: Number(epoch?.name.split(".").at(-1)), lostThrough: lost });
      expect(await recorded()).toEqual(before);
      await expectWhole();
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
      await expectWhole();
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
      await expectWhole();
    }
    await tamper("UPDATE audit_events SET ip = '192.0.2.1' WHERE subject_id = 'usr_di'");
    await tamper("DELETE FROM audit_seals");
    await sealAudit(ctx);
    await expectBroken();
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
      await expectWhole();
    });

    test.each([
      ["was recorded", ["ben"]],
      ["had lost nothing that was copied", []],
    ])("is found out when it goes back behind a restore that %s", async (_, lost) => {
      await dayOf(ctx, "ada");
      const before = await stateOfNow();
      for (const name of lost) await dayOf(ctx, name);
      await travelTo(before);
      await recordRestore(ctx);
      await dayOf(ctx, "cy");
      await travelTo(before);
      await expectBroken();
      await expect(copyAudit(ctx)).rejects.toThrow("does not have what was copied");
    });

    test("does not get away with an epoch of which no event tells, nor with an event that no epoch has", async () => {
      await dayOf(ctx, "ada");
      const before = await stateOfNow();
      await dayOf(ctx, "ben");
      await travelTo(before);
      await tamper(`INSERT INTO counters(name, value) VALUES ('audit.epoch.${ctx.now()}', 0)`);
      await expectBroken();
      await tamper("DELETE FROM counters WHERE name LIKE 'audit.epoch.%'");
      await recordRestore(ctx);
      await sealAudit(ctx);
      await expectWhole();
      await tamper("UPDATE counters SET value = value - 1 WHERE name LIKE 'audit.epoch.%'");
      await expectBroken();
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
    await expectWhole();
  });
});

describe("what had ended before a restore", () => {
  test("what had ended before the restore, and came back with it, ends again: sessions, links, codes", async () => {
    const person = await makePerson(ctx, { role: "admin", withTotp: true });
    const { sessionId } = await makeSession(ctx, person);
    const now = ctx.now();
    const ends = { created_at: now, expires_at: now + hours(1) };
    const ofPerson = { user_id: person.id, email: person.email };
    await ctx.db.insert(authTokens).values({ ...ofPerson, ...ends, id_hash: "open", purpose: "reset" });
    const challenge = { id_hash: "open", user_id: person.id, kind: "verify", max_attempts: 5, epoch: 0 } as const;
    await ctx.db.insert(authChallenges).values({ ...challenge, ...ends });
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
    const valueOf = async (name: string) =>
      (await ctx.db.get<{ value: number }>(sql`SELECT value FROM counters WHERE name = ${name}`)).value;
    expect(await valueOf("ticket")).toBe(1040);
    expect(await valueOf("submission")).toBeGreaterThanOrEqual(1000);
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
});
