import { eq, type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, test } from "vitest";
import { commit, type Db } from "~/db/client.server";
import { savedViews } from "~/db/schema/accounts";
import { liveEvents } from "~/db/schema/live";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import {
  deleteSavedView,
  dismissAllLiveUpdates,
  dismissLiveUpdate,
  saveView,
} from "~/features/workspace/actions.server";
import { navigationEntries } from "~/features/workspace/layout.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { fail, ok } from "~/lib/errors";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { testContext } from "../../support/context";
import { as, makePerson, signedInAs } from "../../support/factories";
import { storeEvent } from "../../support/live";

describe("entries of the navigation", () => {
  const dialect = new SQLiteSyncDialect();

  /** Returns the database, of which reads with this value fail. */
  const failingAt = (db: Db, value: string): Db => ({
    ...db,
    all: ((query: SQL) =>
      dialect.sqlToQuery(query).params.includes(value)
        ? Promise.reject(new Error("D1_ERROR"))
        : db.all(query)) as Db["all"],
  });

  test.each([
    ["of open tickets", "ticket.open", undefined, { count: 3, of: "new" }],
    ["of submissions", "submission.contacted", { count: 2, of: "open" }, undefined],
  ])("where the count %s cannot be read, the other is shown beside its link", async (_, value, tickets, submissions) => {
    const ctx = testContext();
    await ctx.db.run(sql`INSERT OR REPLACE INTO totals (name, value) VALUES ('ticket.open', 2), ('submission.new', 3),
    ('submission.held', 0)`);
    const actor = { ...signedInAs(await makePerson(ctx), ctx.now()), role: "admin" as const };
    const entries = await navigationEntries({ ...ctx, db: failingAt(ctx.db, value) }, actor);
    const badges = new Map(entries.map(({ path, badge }) => [path, badge]));
    expect(badges.get(STAFF_TICKETS_PATH)).toEqual(tickets);
    expect(badges.get(SUBMISSIONS_PATH)).toEqual(submissions);
  });
});

const ctx = testContext();

describe("live updates", () => {
  const staff = async (role: "admin" | "moderator" = "moderator") => as(ctx, await makePerson(ctx, { role }));

  const seqsFor = async (person: typeof ctx, limit?: number) =>
    (await listLiveUpdates(person, limit)).updates.map(({ seq }) => seq);

  const ABOUT = { type: "submission", id: "sub_1" } as const;

  beforeEach(async () => {
    await ctx.db.delete(liveEvents);
  });

  describe("the list", () => {
    test("before anything has happened there is nothing, from the beginning on", async () => {
      expect(await listLiveUpdates(await staff())).toEqual({ updates: [], lastSeq: expect.any(Number) });
    });

    test("says what happened and where", async () => {
      await commit(ctx.db, [
        recordLiveEvent(ctx, { audience: "staff", type: "new_submission", subject: ABOUT, label: "Priya Raman" }),
      ]);
      const { updates, lastSeq } = await listLiveUpdates(await staff());
      const shown = { label: "New submission from Priya Raman", href: "/admin/submissions/sub_1", at: ctx.now() };
      expect(updates).toEqual([{ seq: lastSeq, type: "new_submission", ...shown }]);
    });

    test("leaves out what the person did, and still knows the newest number", async () => {
      const me = await staff();
      const theirs = await storeEvent(ctx);
      const mine = await storeEvent(ctx, { actorId: me.signedIn?.userId });
      expect(await listLiveUpdates(me)).toMatchObject({ updates: [{ seq: theirs }], lastSeq: mine });
    });

    test("shows sign-in events to administrators only", async () => {
      const seq = await storeEvent(ctx, { type: "mfa_event" });
      expect(await seqsFor(await staff("admin"))).toEqual([seq]);
      expect(await seqsFor(await staff("moderator"))).toEqual([]);
    });

    test("shows nothing of an organization's", async () => {
      await storeEvent(ctx, { audience: "org:org_1", type: "ticket_event" });
      expect(await seqsFor(await staff())).toEqual([]);
    });

    test("holds the five newest events, newest first, or fifty, and costs one round trip, however many there are", async () => {
      const seqs: number[] = [];
      for (let count = 0; count < 60; count += 1) seqs.push(await storeEvent(ctx));
      const me = await staff();
      const { trips, rowsRead } = ctx.cost;
      expect(await seqsFor(me, 50)).toEqual(seqs.slice(10).reverse());
      expect(ctx.cost.trips - trips).toBe(1);
      expect(ctx.cost.rowsRead - rowsRead).toBeLessThan(160);
      Object.assign(ctx.cost, { rowsRead: 0 });
      // The panel stops as soon as it has its five.
      expect(await seqsFor(me)).toEqual(seqs.slice(55).reverse());
      expect(ctx.cost.rowsRead).toBeLessThan(25);
    });
  });

  describe("dismissing", () => {
    test("takes one entry away from one person", async () => {
      const [me, other] = [await staff(), await staff()];
      const [first, second] = [await storeEvent(ctx), await storeEvent(ctx)];
      await dismissLiveUpdate(me, first);
      await dismissLiveUpdate(me, first);
      expect(await seqsFor(me)).toEqual([second]);
      expect(await seqsFor(other)).toEqual([second, first]);
    });

    test("all: what arrived after the page was made stays, and an older page brings nothing back", async () => {
      const me = await staff();
      const [first, shown, unseen] = [await storeEvent(ctx), await storeEvent(ctx), await storeEvent(ctx)];
      await dismissAllLiveUpdates(me, shown);
      await dismissAllLiveUpdates(me, first);
      expect(await seqsFor(me)).toEqual([unseen]);
    });

    test("cannot silence what has not happened yet", async () => {
      const me = await staff();
      const now = await storeEvent(ctx);
      await dismissAllLiveUpdates(me, now + 1_000);
      await dismissLiveUpdate(me, now + 1);
      const next = await storeEvent(ctx);
      expect(next).toBe(now + 1);
      expect(await seqsFor(me)).toEqual([next]);
    });
  });

  describe("recording", () => {
    test("belongs to the batch: no change, no event", async () => {
      const event = { audience: "staff", type: "new_note", label: "Priya Raman" } as const;
      const twice = ctx.db
        .insert(liveEvents)
        .values({ seq: 1, ...event, subject_type: "submission", subject_id: "x", at: 0 });
      await expect(
        commit(ctx.db, [recordLiveEvent(ctx, { ...event, subject: ABOUT }), twice, twice]),
      ).rejects.toThrow();
      expect(await seqsFor(await staff())).toEqual([]);
    });

    test("keeps labels short and on one line, without cutting a character in two", async () => {
      const label = `a\n b${"😀".repeat(200)}`;
      await commit(ctx.db, [recordLiveEvent(ctx, { audience: "staff", type: "new_note", subject: ABOUT, label })]);
      const [row] = await ctx.db.select({ label: liveEvents.label }).from(liveEvents);
      expect(row?.label).toBe(`a b${"😀".repeat(117)}`);
    });
  });
});

const view = { list: "submissions", name: "Mine", query: "view=mine", shared: true } as const;

const save = (actor: ReturnType<typeof signedInAs>) => saveView(ctx, actor, view);

const viewsOf = ({ userId }: { userId: string }) =>
  ctx.db.select({ id: savedViews.id }).from(savedViews).where(eq(savedViews.owner_id, userId));

test("somebody who may not open a list keeps no view of it, and takes none away that they kept when they might", async () => {
  const person = await makePerson(ctx, { role: "moderator" });
  const before = signedInAs(person, ctx.now());
  const after = { ...before, role: "user" as const };
  expect(await save(after)).toEqual(fail("list_not_found"));
  expect(await viewsOf(before)).toEqual([]);

  expect(await save(before)).toEqual(ok(null));
  const [kept] = await viewsOf(before);
  await deleteSavedView(ctx, after, kept?.id ?? "");
  expect(await viewsOf(before)).toEqual([kept]);
  await deleteSavedView(ctx, before, kept?.id ?? "");
  expect(await viewsOf(before)).toEqual([]);
});

test("a view is kept once, however often its form is sent, and again after it was deleted", async () => {
  const actor = signedInAs(await makePerson(ctx, { role: "moderator" }), ctx.now());
  await Promise.all(Array.from({ length: 5 }, () => save(actor)));
  const [kept, ...others] = await viewsOf(actor);
  expect(others).toEqual([]);
  await deleteSavedView(ctx, actor, kept?.id ?? "");
  expect(await save(actor)).toEqual(ok(null));
  expect(await viewsOf(actor)).toHaveLength(1);
  for (const other of [{ shared: false }, { name: "Other" }, { query: "view=none" }]) {
    await saveView(ctx, actor, { ...view, ...other });
  }
  expect(await viewsOf(actor)).toHaveLength(4);
});
