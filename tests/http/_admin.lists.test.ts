import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { requireStaff } from "~/features/auth/guards.server";
import { EXPORTS } from "~/features/exports/registry.server";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { fold } from "~/lib/text";
import { isShort, RECENT_LIMIT } from "~/lists/criteria";
import { PAGE_SIZES } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { loader as layout } from "~/routes/_admin";
import { LISTS, type Measured, openList } from "../support/admin-lists";
import { bindings } from "../support/context";
import { as, makePerson } from "../support/factories";
import { fillLiveEvents } from "../support/filled-lists";
import { expectNoScan, recordedContext } from "../support/recorded-database";
import { args, get } from "../support/requests";
import { withoutSearchLimit } from "../support/unlimited-searches";

/*
 * The budgets of every list, over the definitions that are registered: what a page reads is the same whatever the table
 * holds, in any order, filter, search and depth, and no statement reads a table from end to end.
 */

/** The large one is longer than what a search of one or two letters looks through. */
const SMALL = 3_000;
const LARGE = 6_000;

/** Limits the rows for each row that a page shows beyond the 25 of its budget. */
const ROWS_EACH = 5;
/** Says how many rows the identity takes, which the worker reads. */
const IDENTITY = 5;

/**
 * Lists searches of one, two, three and eight letters and of too many, with and without matches, and of letters that
 * mean something to SQL. The first stand beside filters, too.
 */
const WITH_FILTERS = ["a", "ada beck"];
const TERMS = [
  ...WITH_FILTERS,
  "qz",
  "ada",
  "nobody q",
  "q",
  "wu",
  "qzq",
  "zelda qu",
  "x".repeat(200),
  "%",
  "%%%",
  "🚀",
];

const joined = (...parts: string[]) => parts.filter(Boolean).join("&");

/** Lists every choice of so many fields. */
function choices(fields: readonly string[][], count: number): string[][][] {
  if (count === 0) return [[]];
  return fields.flatMap((field, index) => choices(fields.slice(index + 1), count - 1).map((rest) => [field, ...rest]));
}

/** Lists sets of so many filters: of every so many fields, with each of their values at least once. */
const together = (fields: readonly string[][], count: number): string[] =>
  choices(fields, count).flatMap((chosen) =>
    Array.from({ length: Math.max(...chosen.map(({ length }) => length)) }, (_, turn) =>
      joined(...chosen.map((options) => options[turn % options.length] ?? "")),
    ),
  );

/**
 * Lists every filter of a list; every two fields and every three together, with each value once; and every two values:
 * which values three fields have matters in pairs.
 */
function filtersOf({ values }: Measured) {
  const fields = Object.entries(values).map(([name, options]) => options.map((option) => `${name}=${option}`));
  const pairs = choices(fields, 2).flatMap(([first = [], second = []]) =>
    first.flatMap((one) => second.map((other) => joined(one, other))),
  );
  return { one: ["", ...fields.flat()], two: together(fields, 2), pairs, three: together(fields, 3) };
}

const searchFor = (term: string) => new URLSearchParams({ q: term }).toString();

/** Lists filters of a list with searches: none with each, one with some, two and three together with a long one. */
function addressesOf(measured: Measured): string[] {
  const { one, pairs, three } = filtersOf(measured);
  const each = (filters: readonly string[], searches: readonly string[]) =>
    filters.flatMap((filter) => [filter, ...searches.map((term) => joined(filter, searchFor(term)))]);
  const alone = TERMS.slice(WITH_FILTERS.length).map(searchFor);
  return [...alone, ...each(one, WITH_FILTERS), ...each([...pairs, ...three], ["ada beck"])];
}

const definitions = [...EXPORTS].map(([name, { rows }]) => [name, rows] as const);

test("every list that is registered is measured here, by every field it can be filtered by", () => {
  expect(Object.keys(LISTS)).toEqual(definitions.map(([name]) => name));
  for (const [name, { list }] of definitions) {
    const fields = Object.entries(list.fields as Record<string, { param?: string }>);
    const params = fields.map(([field, { param = field }]) => param).filter((param) => param !== "q");
    expect(Object.keys(LISTS[name]?.values ?? {}), name).toEqual(params);
  }
});

const sizeOf = (query: string) => Number(new URLSearchParams(query).get("size") ?? PAGE_SIZES[0]);

withoutSearchLimit();

// What a test has ANALYZE say of its rows would choose the plans of the next one. Reading none makes SQLite forget it.
afterEach(async () => {
  await bindings.DB.exec("DROP TABLE IF EXISTS sqlite_stat1\nANALYZE sqlite_schema");
});

/** Creates a member of staff whose database records its statements. */
async function staffContext() {
  const { context, statements } = recordedContext();
  const person = await makePerson(context, { role: "admin" });
  const ctx = as(context, person);
  return { statements, ctx, userId: person.id, actor: await requireStaff(ctx, "submission.view") };
}

test.each(
  definitions,
)("no page of %s, in no order, filter or search, reads a table from end to end, nor does its file", async (name, {
  list,
  csvExport,
}) => {
  const measured = LISTS[name] as Measured;
  const { ctx, userId, statements, actor } = await staffContext();
  await measured.fill(ctx, userId, [200_000, 200_060]);
  statements.clear();
  const { one, two } = filtersOf(measured);
  const queries = [
    ...one.flatMap((filter) => [filter, joined(filter, "q=ad")]),
    // Of three filters at once, and of every two values, the plans are looked at where their costs are compared.
    ...[...one, ...two].map((filter) => joined(filter, "q=ada+beck")),
    ...two,
    ...list.sorts.map((sort) => `sort=${sort}`),
  ];
  for (const query of queries) {
    const { next } = await openList(measured, ctx, `${measured.path}?${query}`);
    if (next) await openList(measured, ctx, `${measured.path}?${joined(query, `before=${next}`)}`);
  }
  const viewer = { actor, zone: DEFAULT_SETTINGS.timeZone, now: ctx.now() };
  for (const query of [...queries, "ids=sub_000001,sub_000002"]) {
    for await (const lines of csvExport.lines(ctx.db, { params: new URLSearchParams(query), viewer })) {
      expect(lines.length).toBeGreaterThan(0);
    }
  }
  await expectNoScan(statements, 5);
});

test.each(definitions)("one or two letters find rows of %s, and so does its file", async (name, { csvExport }) => {
  const measured = LISTS[name] as Measured;
  const { ctx, userId, actor } = await staffContext();
  await measured.fill(ctx, userId, [200_200, 200_260]);
  for (const q of ["a", "ad"]) {
    const { rows } = await openList(measured, ctx, `${measured.path}?q=${q}`);
    expect(rows.length, q).toBeGreaterThan(0);
    const viewer = { actor, zone: DEFAULT_SETTINGS.timeZone, now: ctx.now() };
    let lines = 0;
    for await (const chunk of csvExport.lines(ctx.db, { params: new URLSearchParams({ q }), viewer })) {
      lines += chunk.length;
    }
    expect(lines, q).toBeGreaterThanOrEqual(rows.length);
  }
});

/** Returns the position of a page that is so many pages of a hundred rows from the first one. */
async function positionAfter(ctx: Ctx, measured: Measured, pages: number, query: string): Promise<string> {
  let after = "";
  for (let page = 0; page < pages; page += 1) {
    const position: string = after && `after=${after}`;
    after = (await openList(measured, ctx, `${measured.path}?${joined(query, "size=100", position)}`)).next ?? "";
  }
  return after;
}

/**
 * Lists addresses of pages that are further from the first one than a budget has rows: in every order, and with every
 * filter that has rows there, by a position so deep that a third of the rows before it is as many.
 */
async function deepPages(ctx: Ctx, measured: Measured, orders: readonly string[]): Promise<string[]> {
  const deep = await positionAfter(ctx, measured, 15, "");
  const positions = [...filtersOf(measured).one, searchFor("ada beck")].map((query) => [query, deep] as const);
  for (const order of orders) positions.push([order, await positionAfter(ctx, measured, 6, order)]);
  const pages: string[] = [];
  for (const [query, position] of positions) {
    for (const page of [joined(query, `after=${position}`), joined(query, `before=${position}`)]) {
      // Behind all rows is the first page again.
      if ((await openList(measured, ctx, `${measured.path}?${page}`)).previous) pages.push(page);
    }
  }
  return pages;
}

type Cost = { trips: number; rows: number };

async function costOf(ctx: Ctx, work: () => Promise<unknown>): Promise<Cost> {
  Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
  await work();
  return { trips: ctx.cost.trips, rows: ctx.cost.rowsRead };
}

/**
 * Measures what each address of a list costs, with the layout around it. What that one adds is the same at every
 * address, so it is measured at the first one, where it must travel together with the rows of the list.
 */
async function costs(ctx: Ctx, measured: Measured, queries: readonly string[]): Promise<Map<string, Cost>> {
  const { path } = measured;
  const openRows = (query = "") => openList(measured, ctx, `${path}?${query}`);
  const alone = await costOf(ctx, () => openRows(queries[0]));
  const whole = await costOf(ctx, () => Promise.all([layout(args(ctx, get(path), {})), openRows(queries[0])]));
  expect(whole.trips).toBe(1);
  const found = new Map<string, Cost>();
  for (const query of queries) {
    const { trips, rows } = await costOf(ctx, () => openRows(query));
    found.set(query, { trips, rows: rows + whole.rows - alone.rows });
  }
  return found;
}

test.each(definitions)(
  "a page of %s costs the same with three thousand rows as with six thousand, within its budget, in one round trip",
  async (name, { list }) => {
    const measured = LISTS[name] as Measured;
    const { ctx, userId, statements } = await staffContext();
    // Statistics of a time when the tables were all but empty make SQLite scan what an index would find.
    await measured.fill(ctx, userId, [200_100, 200_103]);
    await ctx.db.run(sql`ANALYZE`);
    await measured.fill(ctx, userId, [0, SMALL]);
    await fillLiveEvents(ctx, [0, SMALL]);
    const orders = list.sorts.map((sort) => `sort=${sort}`);
    const deep = await deepPages(ctx, measured, orders);
    expect(deep.length).toBeGreaterThanOrEqual(2 * (1 + list.sorts.length));
    const oldest = TERMS.map((term) => joined(searchFor(term), "sort=oldest"));
    const large = filtersOf(measured).one.flatMap((filter) => [
      joined(filter, "size=100"),
      joined(filter, searchFor("ada beck"), "size=100"),
    ]);
    const more = measured.more ?? [];
    const queries = [...addressesOf(measured), ...large, ...orders, ...more, ...oldest, ...deep];
    // Of several filters and of longer pages only the limit is asked: no part of a table that grows would fit in.
    const { pairs, three } = filtersOf(measured);
    const bySeveral = new Set([...pairs, ...three]);
    const ofMany = new Set(large);
    const isLookedThrough = (query: string) => {
      const term = fold(new URLSearchParams(query).get("q") ?? "");
      return term !== "" && isShort(term);
    };
    const isCompared = (query: string) =>
      !bySeveral.has(query.replace(/&q=.*/, "")) && !ofMany.has(query) && !isLookedThrough(query);

    const few = await costs(ctx, measured, queries.filter(isCompared));
    await measured.fill(ctx, userId, [SMALL, LARGE]);
    await fillLiveEvents(ctx, [SMALL, LARGE]);
    for (const [query, { trips, rows }] of await costs(ctx, measured, queries)) {
      // The identity, which the worker reads, is the second trip. A search is counted in the trip of its reads.
      expect(trips, query).toBe(1);
      if (isCompared(query)) expect(rows, query).toBeLessThanOrEqual(Math.ceil((few.get(query)?.rows ?? 0) * 1.1));
      const budget = measured.rows + ROWS_EACH * (sizeOf(query) - PAGE_SIZES[0]);
      const lookedThrough = isLookedThrough(query) ? RECENT_LIMIT : 0;
      expect(rows + IDENTITY, query).toBeLessThanOrEqual(budget + lookedThrough);
    }
    // The plans are those of a database that knows what its tables hold, too.
    await ctx.db.run(sql`ANALYZE`);
    await expectNoScan(statements, 10);
  },
  120_000,
);
