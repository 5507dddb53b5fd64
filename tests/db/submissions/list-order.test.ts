import { beforeAll, expect, test } from "vitest";
import { submissionList } from "~/features/submissions/list/definition";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { readSubmissions } from "../../support/submission-list";

const ctx = testContext();
const page = async (order: string, place = "size=25") => (await readSubmissions(ctx.db, `${order}&${place}`)).page;

const NAMES = [
  "Zoë Åström",
  "ada becker",
  "Ada Becker",
  "Émile Zola",
  "emil Zola",
  "\u0301 \u0301",
  "Łukasz Wu",
  "李 雷",
  "O'Neil Ann",
];

beforeAll(async () => {
  for (const [place, name] of NAMES.entries()) {
    const [firstName = "", lastName = ""] = name.split(" ");
    await makeSubmission(ctx, { firstName, lastName, at: ctx.now() + minutes(place) });
  }
  for (let place = 0; place < 60; place += 1) {
    const status = (["new", "contacted", "resolved"] as const)[place % 3] ?? "new";
    await makeSubmission(ctx, { firstName: "Same", lastName: "Name", status, at: ctx.now() + minutes(place % 7) });
  }
  await makeSubmission(ctx, { firstName: "Aaron", lastName: "Held", moderationReason: "content" });
});

/** Reads all rows of an order, page by page. */
async function readAll(order: string) {
  const rows = [];
  let place = "size=25";
  for (;;) {
    const { rows: shown, next, previous } = await page(order, place);
    rows.push(...shown);
    if (!next) return { rows, previous };
    place = `size=25&after=${next}`;
  }
}

test("names stand in the order of the alphabet, without regard to case and accents, and nothing comes before a letter", async () => {
  const { rows } = await readAll("sort=name");
  const names = [...new Set(rows.map(({ name }) => name.toLowerCase()))];
  expect(names).toEqual([
    "ada becker",
    "emil zola",
    "émile zola",
    "łukasz wu",
    "o'neil ann",
    "same name",
    "zoë åström",
    "李 雷",
    "\u0301 \u0301",
  ]);
});

test.each([
  ["name", "name_desc"],
  ["status", "status_desc"],
  ["oldest", "newest"],
])("pages of %s follow each other without a gap, and %s is the reverse", async (order, reverse) => {
  const there = (await readAll(`sort=${order}`)).rows.map(({ id }) => id);
  const back = (await readAll(`sort=${reverse}`)).rows.map(({ id }) => id);
  expect(new Set(there).size).toBe(NAMES.length + 60);
  expect(there).toHaveLength(NAMES.length + 60);
  expect(back.toReversed()).toEqual(there);
});

test.each([
  "newest",
  "name",
  "name_desc",
  "status",
  "status_desc",
])("a page of %s leads back to the page before it", async (order) => {
  const first = await page(`sort=${order}`);
  const second = await page(`sort=${order}`, `size=25&after=${first.next}`);
  expect((await page(`sort=${order}`, `size=25&before=${second.previous}`)).rows).toEqual(first.rows);
});

test("by status, what is new comes first, and what has waited longest first of all", async () => {
  const { rows } = await readAll("sort=status");
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
  for (const sort of ["name", "name_desc", "status", "status_desc"]) {
    expect(submissionList.readFilter(new URLSearchParams(`${filtered}&sort=${sort}`)).sort).toBe("newest");
  }
  expect(submissionList.readFilter(new URLSearchParams(`${filtered}&sort=oldest`)).sort).toBe("oldest");
});
