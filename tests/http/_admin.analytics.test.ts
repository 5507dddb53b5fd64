import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import type { Metrics } from "~/features/analytics/model";
import { openRowsPath, type RowsAsked, rowsPath } from "~/features/analytics/paths";
import { readMetrics } from "~/features/analytics/queries.server";
import { loader as analytics } from "~/routes/_admin.admin.analytics._index";
import { loader as rows } from "~/routes/_admin.admin.analytics.rows";
import { loader as csv } from "~/routes/_admin.admin.exports.$file";
import type { TestContext } from "../support/context";
import { tellingWorld } from "../support/counted-tickets";
import { numbers } from "../support/filled-lists";
import { args, get } from "../support/requests";

let ctx: TestContext;
let hereId: string;

const open = async (query = "") => {
  const response = await analytics(args(ctx, get(`/admin/analytics?${query}`), {}));
  return { status: response.status, ...(await response.json()) };
};
const openRows = async (query: string) => {
  const response = await rows(args(ctx, get(`/admin/analytics/rows?${query}`), {}));
  return { status: response.status, ...(await response.json()) };
};

/** Follows the link of a number to its rows, page by page, and counts them. */
async function countRows(asked: RowsAsked): Promise<number> {
  let [count, after]: [number, string | null] = [0, ""];
  while (after !== null) {
    const page = await openRows(`${rowsPath(asked).split("?")[1]}${after && `&after=${after}`}`);
    expect(page.status).toBe(200);
    count += page.list?.rows.length ?? 0;
    after = page.list?.next ?? null;
  }
  return count;
}

beforeAll(async () => {
  const world = await tellingWorld();
  const { dana, ivy, here, sam } = world;
  ctx = world.staff(sam).ctx;
  hereId = here.id;
  const [first, second] = [await world.opens("18 09:00", dana, "high"), await world.opens("18 09:00", ivy, "low")];
  await world.replies("18 10:00", first);
  await world.resolves("18 11:00", first);
  await world.reopens("19 10:00", dana, first);
  await world.judges("19 14:01");
  await world.resolves("20 10:00", first);
  await world.moves("20 11:00", second, "waiting_for_customer");
  // No more in an hour than one person may open.
  for (let index = 0; index < 60; index += 1) await world.opens(`20 ${12 + Math.floor(index / 20)}:05`, dana, "medium");
  await world.votes("20 15:30", dana, first, true);
  await measureTickets(world.base);
});

test("every number leads to as many rows as it says", async () => {
  const { analytics: read } = await open();
  const { from, to, ...metrics } = read?.metrics as unknown as Metrics;
  const counts: [number, Omit<RowsAsked, "from" | "to">][] = [
    [metrics.created, { of: "created" }],
    [metrics.byStatus.waiting_for_customer, { of: "created", status: "waiting_for_customer" }],
    [metrics.byPriority.medium.created, { of: "created", priority: "medium" }],
    [metrics.firstResponse.open.n, { of: "answered" }],
    [metrics.resolved, { of: "resolved" }],
    [metrics.reopened.part, { of: "reopened" }],
    [metrics.promises.kept, { of: "kept" }],
    [metrics.promises.missed, { of: "missed" }],
    [metrics.firstReplyTargets.kept, { of: "kept", promise: "first_response" }],
    [metrics.satisfaction.part, { of: "good" }],
    [metrics.backlog.reduce((sum, count) => sum + count), { of: "created", status: "active" }],
    [read?.organizations.rows.find(({ id }) => id === hereId)?.created ?? -1, { of: "created", organization: hereId }],
  ];
  expect(metrics.created).toBe(62);
  for (const [count, asked] of counts) expect([asked, await countRows({ ...asked, from, to })]).toEqual([asked, count]);
});

test("what was open at the end of a past day leads to its tickets, whatever became of them", async () => {
  const openOn = async (to: string) => {
    const { list } = await openRows(openRowsPath({ to }).split("?")[1] ?? "");
    return list?.rows.map(({ organization, status }) => `${organization}: ${status}`).sort();
  };
  // One was solved on the day it was created, opened again the next one, and solved on the third.
  expect(await openOn("2026-11-17")).toEqual([]);
  expect(await openOn("2026-11-18")).toEqual(["Brightsmile: waiting_for_customer"]);
  expect(await openOn("2026-11-19")).toEqual(["Brightsmile: waiting_for_customer", "Larkspur Row: resolved"]);
  for (const to of ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]) {
    const { backlog } = await readMetrics(ctx.db, { from: to, to });
    expect([to, await countRows({ of: "open", from: "2026-01-01", to })]).toEqual([
      to,
      backlog.reduce((sum, count) => sum + count),
    ]);
  }
});

test("the ranges end today, and trends show whole months whatever the range", async () => {
  const { analytics: week } = await open("range=7&tab=trends");
  expect(week?.metrics).toMatchObject({ from: "2026-11-14", to: "2026-11-20" });
  expect(week?.months.map(({ from, created }) => [from, created])).toEqual([
    ...["06", "07", "08", "09", "10"].map((month) => [`2026-${month}-01`, 0]),
    ["2026-11-01", 62],
  ]);
  expect(week?.months.at(-1)?.openAtEnd).toBe(61);
  expect((await open("range=365")).analytics?.months).toHaveLength(12);
});

test("the file has the numbers of the page, and of late replies the page says why", async () => {
  const { analytics: read } = await open("range=7");
  const file = await csv(args(ctx, get("/admin/exports/analytics.csv?range=7"), { file: "analytics.csv" }));
  expect(file.headers.get("Content-Disposition")).toContain("analytics-2026-11-14-to-2026-11-20.csv");
  const lines = (await file.text()).split("\r\n");
  expect(lines).toContain('"Key numbers","Tickets created","Count","62",""');
  const { kept = 0, missed = 0 } = read?.metrics.promises ?? {};
  const percent = Math.round((1000 * kept) / (kept + missed)) / 10;
  expect(lines).toContain(`"Key numbers","Within promise","Percent","${percent}","${kept + missed}"`);
  expect(lines).toContain('"Organizations","Larkspur Row","Tickets","61",""');
  const late = read?.late[0];
  expect(late?.reason).toBeNull();
  const facts = { promises: { kept: 1, missed: 1 }, misses: [{ ticket: `T-${late?.number}`, dueAt: late?.dueAt }] };
  await ctx.db.run(sql`
    INSERT INTO letters(id, created_at, updated_at, organization_id, month, status, facts_json, words_json)
    VALUES ('ltr_1', 0, 0, ${late?.organizationId}, '2026-11', 'draft', ${JSON.stringify(facts)}, '{"reasons":["A gap."]}')`);
  expect((await open("range=7")).analytics?.late[0]?.reason).toBe("A gap.");
});

test("the organizations are those with a ticket created or answered, the largest first", async () => {
  const { analytics: read } = await open("tab=organizations");
  expect(read?.activeOrganizations).toBe(2);
  expect(read?.organizations.rows.map(({ name, created }) => [name, created])).toEqual([
    ["Larkspur Row", 61],
    ["Brightsmile", 1],
  ]);
  expect((await open("tab=organizations&after=61.org_zzz")).analytics?.organizations.rows).toHaveLength(2);
  expect((await open("tab=organizations&after=garbage")).analytics?.organizations.rows).toHaveLength(2);
});

test("a range that there is not is said, with the usual one in its place", async () => {
  for (const query of ["range=31", "range=-7", "range=30.0", "range=%00"]) {
    expect(await open(query)).toMatchObject({ status: 400, isUnknownRange: true, range: 30 });
  }
  expect(await open("tab=nothing")).toMatchObject({ status: 200, tab: "overview" });
});

test.each([
  ["", "Nothing is counted by that name."],
  ["of=created", "Choose both dates"],
  ["of=created&from=2026-11-18", "Choose both dates"],
  ["of=created&from=2026-02-30&to=2026-11-18", "Choose dates that exist"],
  ["of=created&from=2026-11-19&to=2026-11-18", "The first day is after the last one"],
  ["of=created&from=2026-11-18&to=2026-11-21", "The period ends in the future"],
  ["of=created&from=1999-01-01&to=2026-11-18", "The period is longer than ten years"],
])("rows asked for by %j are rejected, and it is said why", async (query, reason) => {
  const page = await openRows(query);
  expect(page).toMatchObject({ status: 400, asked: null, list: null });
  expect(page.problem).toContain(reason);
});

test("parameters that mean nothing are left out, and a place that does not exist is the beginning", async () => {
  const query = "of=created&from=2026-11-18&to=2026-11-20&priority=huge&organization=x&after=%27";
  expect((await openRows(query)).list?.rows).toHaveLength(50);
});

const KEPT = { kind: "kept", detail: "next_response" };
const MEASURED = [
  { kind: "created", detail: "closed" },
  { kind: "backlog", counts: { "backlog.0": 1 } },
  { kind: "backlog", later: 2, counts: { "backlog.0": -1 } },
  ...[{ kind: "answered" }, { kind: "resolved", later: 2 }, KEPT, KEPT, KEPT, KEPT, KEPT],
];

/** Fills tickets of October that were solved two days later; ten things of each are measured. */
async function fillClosedTickets(range: [number, number]) {
  await ctx.db.run(sql`
    INSERT INTO support_tickets(id, created_at, updated_at, number, organization_id, title, description, priority, status,
      creator_name, last_message_at, promise_json, viewers, search_text)
    ${numbers(range)} SELECT printf('tkt_f%05d', i), 0, 0, 900000 + i, ${hereId}, 'Filled', 'x', 'low', 'closed', 'Ada', 0, '{}',
      '', 'filled' FROM n`);
  await ctx.db.run(sql`
    INSERT INTO ticket_metrics(ticket_id, organization_id, kind, day, at, priority, detail, counts)
    ${numbers(range)} SELECT printf('tkt_f%05d', i), ${hereId}, e.value ->> 'kind',
      date('2026-10-01', '+' || (i % 28 + coalesce(e.value ->> 'later', 0)) || ' days'), 0, 'low', e.value ->> 'detail', coalesce(e.value ->> 'counts', '{}')
    FROM n, json_each(${JSON.stringify(MEASURED)}) e`);
  await ctx.db.run(sql`UPDATE support_tickets SET measured_version = version`);
}

/** Fills three years of figures of the whole site, and organizations in each range. */
async function fillMetrics(organizations: number) {
  await ctx.db.run(sql`
    INSERT OR IGNORE INTO daily_metrics
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1095)
    SELECT '', date('2026-11-17', '-' || i || ' days'), 0, 0, 0, 0, 1, -1, 0, 0, '{"created.low":3,"status.closed":3}' FROM n`);
  await ctx.db.run(sql`
    INSERT OR IGNORE INTO organizations(id, created_at, updated_at, name, slug, search_name, number)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${organizations})
    SELECT 'org_' || printf('%05d', i), 0, 0, 'Filled ' || i, 'filled-' || i, 'filled', 1000 + i FROM n`);
  await ctx.db.run(sql`
    INSERT OR IGNORE INTO range_metrics
    SELECT 365, id, number, 1, 1, 0 FROM organizations WHERE id GLOB 'org_0*' AND name LIKE 'Filled %'`);
  await ctx.db.run(sql`
    UPDATE totals SET value = (SELECT count(*) FROM range_metrics WHERE range = 365) WHERE name = 'active_organizations.365'`);
}

test("the rows behind a number cost no round trip for the time zone of the site", async () => {
  Object.assign(ctx.cost, { trips: 0 });
  expect((await openRows("of=created&from=2026-11-01&to=2026-11-18")).list).not.toBeNull();
  // One for who asks, and one for the rows with the settings.
  expect(ctx.cost.trips).toBeLessThanOrEqual(2);
});

test("to find what was open long ago, few histories are looked at, however many tickets there are", async () => {
  const cost = async () => {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    const { list } = await openRows(openRowsPath({ to: "2026-10-31" }).split("?")[1] ?? "");
    expect(list).toMatchObject({ rows: [], next: expect.stringMatching(/^2026-10-/) });
    return ctx.cost.rowsRead;
  };
  await fillClosedTickets([0, 1_000]);
  const few = await cost();
  await fillClosedTickets([1_000, 4_000]);
  expect(await cost()).toBeLessThanOrEqual(Math.ceil(few * 1.1));
  expect(few).toBeLessThan(5_000);
});

test("a year costs one round trip and a row for each day, however many organizations there are", async () => {
  const costOf = async (query: string) => {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    expect((await open(query)).analytics).not.toBeNull();
    return { trips: ctx.cost.trips, rows: ctx.cost.rowsRead };
  };
  await fillMetrics(50);
  const small = await costOf("range=365&tab=organizations");
  await fillMetrics(2_000);
  const large = await costOf("range=365&tab=organizations");
  expect(large).toEqual(small);
  // The other one notes when the person was last here, whose clock has moved by days.
  expect(large.trips).toBe(2);
  expect(large.rows).toBeLessThan(1_500);
  const { analytics: read } = await open("range=365&tab=organizations");
  expect(read?.activeOrganizations).toBe(2_002);
  expect(read?.organizations.rows[0]?.name).toBe("Filled 2000");
  const next = await open(`range=365&tab=organizations&after=${read?.organizations.next}`);
  expect(next.analytics?.organizations.rows[0]?.name).toBe("Filled 1975");
});

test("what cannot be read is said, and the page stays", async () => {
  await ctx.db.run(sql`ALTER TABLE daily_metrics RENAME TO daily_metrics_away`);
  await ctx.db.run(sql`ALTER TABLE ticket_metrics RENAME TO ticket_metrics_away`);
  expect(await open()).toMatchObject({ status: 200, analytics: null });
  expect(await openRows("of=created&from=2026-11-18&to=2026-11-20")).toMatchObject({ status: 200, list: null });
  await ctx.db.run(sql`ALTER TABLE daily_metrics_away RENAME TO daily_metrics`);
  await ctx.db.run(sql`ALTER TABLE ticket_metrics_away RENAME TO ticket_metrics`);
});
