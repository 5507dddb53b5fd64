import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { submissionList } from "~/features/submissions/list/definition";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { minutes } from "~/lib/time";
import { formatCursor } from "~/lists/paging.server";
import { testContext } from "../../support/context";
import { makeSubmission, together } from "../../support/factories";
import { readSubmissions, STAFF_VIEWER } from "../../support/submission-list";

const ctx = testContext();
const page = async (query: string, place = "size=25") => (await readSubmissions(ctx.db, `${query}&${place}`)).page;

const NAMES = [
  ...["Zoë Åström", "ada becker", "Ada Becker", "Émile Zola", "emil Zola", "\u0301 \u0301"],
  ...["Łukasz Wu", "李 雷", "O'Neil Ann"],
];

/** Holds five submissions of one company, a minute before each other, older than all others. */
let five: string[];

beforeAll(async () => {
  const start = ctx.now();
  five = await together(ctx, async (all) => {
    for (const [place, name] of NAMES.entries()) {
      const [firstName = "", lastName = ""] = name.split(" ");
      await makeSubmission(all, { firstName, lastName, at: start + minutes(place) });
    }
    for (let place = 0; place < 60; place += 1) {
      const status = (["new", "contacted", "resolved"] as const)[place % 3] ?? "new";
      await makeSubmission(all, { firstName: "Same", lastName: "Name", status, at: start + minutes(place % 7) });
    }
    const ids: string[] = [];
    for (const [place, firstName] of ["Delta", "Alpha", "Charlie", "Bravo", "Echo"].entries()) {
      const options = { firstName, company: "Kestrel", at: start - minutes(place + 1) };
      ids.push((await makeSubmission(all, { ...options, status: place % 2 === 0 ? "new" : "contacted" })).id);
    }
    const held = { firstName: "Aaron", lastName: "Held", moderationReason: "content" } as const;
    await makeSubmission(all, { ...held, at: start - minutes(2) });
    return ids;
  });
});

/** Reads all rows of an order, page by page. */
async function readAll(order: string) {
  const rows = [];
  for (let place = "size=25"; ; ) {
    const { rows: shown, next } = await page(order, place);
    rows.push(...shown);
    if (!next) return rows;
    place = `size=25&after=${next}`;
  }
}

test("names stand in the order of the alphabet, without regard to case and accents, and nothing comes before a letter", async () => {
  const names = new Set((await readAll("sort=name")).map(({ name }) => name.toLowerCase()));
  expect([...names].filter((name) => !name.endsWith("raman"))).toEqual([
    ...["ada becker", "emil zola", "émile zola", "łukasz wu", "o'neil ann", "same name", "zoë åström", "李 雷"],
    "\u0301 \u0301",
  ]);
});

test.each([
  ["name", "name_desc"],
  ["status", "status_desc"],
  ["oldest", "newest"],
])("pages of %s follow each other without a gap, %s is the reverse, and both lead back to the page before", async (order, reverse) => {
  const there = (await readAll(`sort=${order}`)).map(({ id }) => id);
  const back = (await readAll(`sort=${reverse}`)).map(({ id }) => id);
  expect(new Set(there).size).toBe((await countSubmissions(ctx.db)).all);
  expect(back.toReversed()).toEqual(there);
  for (const sort of [order, reverse]) {
    const first = await page(`sort=${sort}`);
    const second = await page(`sort=${sort}`, `size=25&after=${first.next}`);
    expect((await page(`sort=${sort}`, `size=25&before=${second.previous}`)).rows).toEqual(first.rows);
  }
});

test("by status, what is new comes first, and what has waited longest first of all", async () => {
  const rows = await readAll("sort=status");
  const places = rows.map(({ status }) => ["new", "contacted", "resolved"].indexOf(status));
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  const waiting = rows.filter(({ status }) => status === "new").map(({ submittedAt }) => submittedAt);
  expect(waiting).toEqual(waiting.toSorted((left, right) => left - right));
});

test.each([
  "after=~!!.sub_1",
  "after=~_w.sub_1",
  "after=~YQ",
  "after=17.sub_1",
  "before=~.",
  "after=~YQ.SUB",
])("a malformed position (%s) shows the first page", async (place) => {
  expect((await page("sort=name", place)).rows).toEqual((await page("sort=name")).rows);
});

test.each([
  "q=name",
  "status=new",
  "filter=recent",
  "view=held",
  "view=mine",
])("a filtered list (%s) is sorted by date only", (filtered) => {
  const sortOf = (sort: string) => submissionList.readFilter(new URLSearchParams(`${filtered}&sort=${sort}`)).sort;
  expect(["name", "name_desc", "status", "status_desc"].map(sortOf)).toEqual(Array(4).fill("newest"));
  expect(sortOf("oldest")).toBe("oldest");
});

test("two submissions of the same millisecond are both shown across a page border", async () => {
  const at = ctx.now() + minutes(30);
  const [older, newer] = [await makeSubmission(ctx, { at }), await makeSubmission(ctx, { at })]
    .map(({ id }) => id)
    .sort();
  expect((await page("", `after=${formatCursor([at, newer ?? ""])}`)).rows[0]?.id).toBe(older);
});

test("held submissions are in no list and in no count but their own", async () => {
  const counts = await countSubmissions(ctx.db);
  expect((await page("", "size=100")).rows).toHaveLength(counts.all);
  expect(counts.held).toBe(1);
});

test("a filter shows only its status and costs no more than its page", async () => {
  ctx.cost.rowsRead = 0;
  const { rows } = await page("status=contacted");
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(["contacted"]));
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(2 * 26);
});

test("where no row is left before or after a page, the first page is shown with a way on", async () => {
  const first = await page("status=new");
  const second = await page("status=new", `after=${first.next}`);
  const gone = JSON.stringify(first.rows.map(({ id }) => id));
  const setStatus = (status: string) =>
    ctx.db.run(
      sql`UPDATE contact_submissions SET status = ${status} WHERE id IN (SELECT value FROM json_each(${gone}))`,
    );
  await setStatus("resolved");
  const back = await page("status=new", `before=${second.previous}`);
  expect(back).toMatchObject({ rows: second.rows, previous: null, next: second.next });
  const last = second.rows.at(-1);
  expect((await page("status=new", `after=${formatCursor([0, last?.id ?? ""])}`)).rows).toEqual(second.rows);
  await setStatus("new");
});

const neighboursIn = (query: string, id = "") =>
  submissionRows.neighbours(ctx.db, {
    ...{ filter: submissionList.readFilter(new URLSearchParams(query)), viewer: STAFF_VIEWER, id },
  });

test("the records beside one are those of its list: in its order, with its filter, without held ones, also once it has left", async () => {
  const [delta, alpha, charlie, bravo, echo] = five;
  expect(await neighboursIn("", charlie)).toEqual({ previous: alpha, next: bravo });
  expect(await neighboursIn("sort=oldest", charlie)).toEqual({ previous: bravo, next: alpha });
  expect(await neighboursIn("sort=name", charlie)).toEqual({ previous: bravo, next: delta });
  expect(await neighboursIn("status=new", charlie)).toEqual({ previous: delta, next: echo });
  expect(await neighboursIn("q=kestrel", charlie)).toEqual({ previous: alpha, next: bravo });
  expect(await neighboursIn("recent=7d", charlie)).toEqual({ previous: alpha, next: bravo });
  expect(await neighboursIn("status=new", bravo)).toEqual({ previous: charlie, next: echo });
});

test("beside a record of a search for two letters nothing is looked for, which would read the search twice more", async () => {
  const before = ctx.cost.rowsRead;
  expect(await neighboursIn("q=ke&sort=oldest", five[2])).toEqual({ previous: null, next: null });
  expect(ctx.cost.rowsRead - before).toBe(0);
});

test("there is nothing beside the ends of a list, or a record that does not exist", async () => {
  const [delta, , , , echo] = five;
  expect(await neighboursIn("q=kestrel", delta)).toMatchObject({ previous: null });
  expect(await neighboursIn("q=kestrel", echo)).toMatchObject({ next: null });
  expect(await neighboursIn("q=kestrel", "sub_none")).toEqual({ previous: null, next: null });
  expect(await neighboursIn("from=2026-11-20&to=2026-11-01", echo)).toEqual({ previous: null, next: null });
});
