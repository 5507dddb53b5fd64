import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { TERMS_VERSION } from "~/content/legal";
import { activityFilter } from "~/features/audit/activity";
import { listActivity } from "~/features/audit/queries.server";
import { listFilter, scopeOf } from "~/features/submissions/list-filter";
import { countSubmissions } from "~/features/submissions/queries.server";
import { stretchOf } from "~/features/submissions/scope-sql.server";
import type { Ctx } from "~/platform/context.server";
import { loader as dashboard } from "~/routes/_office.admin._index";
import { loader as activity } from "~/routes/_office.admin.activity";
import { loader as list } from "~/routes/_office.admin.submissions._index";
import { loader as record } from "~/routes/_office.admin.submissions.$submissionId";
import { bindings, testContext } from "../support/context";
import { args, get } from "../support/requests";
import { as, makePerson } from "../support/world";

/** Fills the tables up to a number of rows, a minute apart, with what triggers and search make of them. */
async function fill(ctx: Ctx, from: number, to: number) {
  const start = ctx.now() - 30_000 * 60_000;
  const rows = sql`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`;
  await ctx.db.run(sql`
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, consent_terms_version, ip_hash, search_text, submitted_on)
    ${rows} SELECT printf('sub_%06d', i), ${start} + i * 60000, ${start}, 10000 + i, 'Ada', 'Becker', 'ada@scale.example',
      CASE WHEN i % 3 = 0 THEN 'new' WHEN i % 3 = 1 THEN 'contacted' ELSE 'resolved' END, 1, ${TERMS_VERSION}, 'x',
      CASE WHEN i = 150 THEN 'zelda quirke zelda@scale.example' ELSE 'ada becker ada@scale.example' END, '2026-01-01' FROM n`);
  await ctx.db.run(sql`
    INSERT INTO audit_events(at, actor_role, action, object_type, object_id)
    ${rows} SELECT ${start} + i * 60000, 'visitor', 'submission.received', 'submission', printf('sub_%06d', i) FROM n`);
}

const PAGES: [string, typeof list | typeof dashboard | typeof activity | typeof record, string][] = [
  ["first page", list, "/admin/submissions"],
  ["filtered page", list, "/admin/submissions?status=contacted"],
  ["oldest first", list, "/admin/submissions?sort=oldest"],
  ["rare term", list, "/admin/submissions?q=quirke"],
  ["dashboard", dashboard, "/admin"],
  ["activity", activity, "/admin/activity"],
  ["activity of one type", activity, "/admin/activity?type=submission"],
  ["one record", record, "/admin/submissions/sub_000150"],
];

async function costs(ctx: Ctx): Promise<Record<string, { trips: number; rows: number }>> {
  const measured: Record<string, { trips: number; rows: number }> = {};
  for (const [name, loader, path] of PAGES) {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await loader(args(ctx, get(path), { submissionId: path.split("/")[3] ?? "" }));
    measured[name] = { trips: ctx.cost.trips, rows: ctx.cost.rowsRead };
  }
  return measured;
}

test("a page costs the same with two hundred requests as with twenty thousand, and one round trip", async () => {
  const world = testContext();
  const ctx = as(world, await makePerson(world, { role: "admin" }));
  await fill(ctx, 0, 200);
  // The first look also writes: the probe of the database is believed for a minute afterwards.
  await dashboard(args(ctx, get("/admin"), {}));
  const small = await costs(ctx);
  await fill(ctx, 200, 20_000);
  const large = await costs(ctx);
  expect(large).toEqual(small);
  expect((await countSubmissions(ctx.db)).all).toBe(20_000);
  for (const [name, { trips, rows }] of Object.entries(large)) {
    // The identity, which the worker reads, is the second trip.
    expect(trips, name).toBe(1);
    expect(rows, name).toBeLessThanOrEqual(150);
  }
});

test("what many match is looked through up to a bound, however many there are", async () => {
  const world = testContext();
  const ctx = as(world, await makePerson(world, { role: "admin" }));
  for (const query of [
    "q=becker",
    "q=becker&status=new",
    "q=ad",
    "status=new&from=2020-01-01",
    "q=nobody&status=new",
  ]) {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await list(args(ctx, get(`/admin/submissions?${query}`), {}));
    expect(ctx.cost.trips, query).toBe(1);
    expect(ctx.cost.rowsRead, query).toBeLessThanOrEqual(4_200);
  }
});

test.each([
  "",
  "status=new",
  "sort=oldest",
  "filter=recent",
  "status=resolved&from=2026-01-01&to=2026-02-01",
  "q=becker",
  "q=becker&status=new",
  "q=ad",
  "view=held",
  "view=mine",
  "view=follow_up",
])("the list at %j scans no table", async (query) => {
  const ctx = testContext();
  const scope = scopeOf(listFilter(new URLSearchParams(query)), {
    zone: "America/Chicago",
    now: ctx.now(),
    userId: "usr_x",
  });
  const plan = await ctx.db.all<{ detail: string }>(
    sql`EXPLAIN QUERY PLAN SELECT t.id ${stretchOf(scope, { from: null, ascending: false, limit: 26 })}`,
  );
  const steps = plan.map(({ detail }) => detail);
  // Rows an inner query has found are passed on by a co-routine of the same name; that is no table.
  const passedOn = steps.includes("CO-ROUTINE t") ? ["SCAN t"] : [];
  const scans = steps.filter((step) => /SCAN (t|contact_submissions)/.test(step) && !passedOn.includes(step));
  expect(scans).toEqual([]);
  if (query === "view=follow_up") expect(steps.join()).toContain("submissions_to_follow_up");
});

test.each(["", "type=note", "q=vale"])("the feed at %j scans no events", async (query) => {
  const ctx = testContext();
  const asked: string[] = [];
  const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, {
    all: (statement: SQL) => {
      asked.push(new SQLiteSyncDialect().sqlToQuery(statement).sql);
      return ctx.db.all(statement);
    },
  });
  await listActivity(db, activityFilter(new URLSearchParams(query)), null);
  for (const text of asked) {
    const plan = await bindings.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
      .bind(...Array.from(text.matchAll(/\?/g), () => 1))
      .all<{ detail: string }>();
    expect(plan.results.filter(({ detail }) => /SCAN (audit_events|users|s$|u$)/.test(detail))).toEqual([]);
  }
  expect(asked).toHaveLength(1);
});
