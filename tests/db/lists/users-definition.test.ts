import { beforeAll, expect, test } from "vitest";
import { SEARCH_TOO_SHORT } from "~/lists/copy";
import { countInWords } from "~/lists/match-count";
import { testContext } from "../../support/context";
import {
  COUNT,
  client,
  definePeople,
  fillPeople,
  openPeople,
  type Person,
  peopleList,
  peopleRows,
  type Role,
  staff,
} from "../../support/people-list";
import { expectNoScan, recordedContext } from "../../support/recorded-database";

const { context, statements } = recordedContext();

beforeAll(() => fillPeople(testContext().db));

const open = (query: string, viewer = staff) => openPeople(context.db, query, { viewer });

/** Reads all rows of a filter, page by page. */
async function all(query: string, viewer = staff): Promise<Person[]> {
  const rows: Person[] = [];
  for (let page = await open(query, viewer); ; page = await open(`${query}&after=${page.page.next}`, viewer)) {
    rows.push(...page.page.rows);
    if (!page.page.next) return rows;
  }
}

const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
const roleOf = (i: number): Role => (i % 50 === 0 ? "admin" : i % 10 === 1 ? "moderator" : "user");

test.each([
  ["newest", (i: number) => -i],
  ["oldest", (i: number) => i],
  ["name", (i: number) => (i * 7919) % 1009],
  ["name_desc", (i: number) => -((i * 7919) % 1009)],
])("the order %s leads through everybody, page by page, with a role too", async (sort, key) => {
  const ordered = numbers.toSorted((left, right) => key(left) - key(right)).map((i) => `Person ${i}`);
  expect((await all(`sort=${sort}&size=100`)).map(({ name }) => name)).toEqual(ordered);
  const moderators = ordered.filter((name) => roleOf(Number(name.slice(7))) === "moderator");
  expect((await all(`sort=${sort}&role=moderator`)).map(({ name }) => name)).toEqual(moderators);
});

test("a search combines with a role, returns joined columns, and is sorted by date only", async () => {
  expect(await all("q=77%40x&role=user")).toEqual(
    numbers
      .filter((i) => String(i).endsWith("77") && roleOf(i) === "user")
      .map((i) =>
        expect.objectContaining({ name: `Person ${i}`, organization: i % 3 ? "Larkspur Row" : "Cedar Dental" }),
      )
      .reverse(),
  );
  expect(peopleList.readFilter(new URLSearchParams("q=person&sort=name")).sort).toBe("newest");
  expect(countInWords((await open("q=person")).total)).toBe("more than 150");
  expect(countInWords((await open("role=admin")).total)).toBe("18");
});

test("a list that is counted by its page alone says so on each page, and counts exactly what one page holds", async () => {
  const rows = definePeople({ limits: { countsByPage: true } });
  const opened = (query: string) => openPeople(testContext().db, query, { rows });
  const shown = async (query: string) => countInWords((await opened(query)).total);
  expect([await shown("q=person"), await shown("q=77%40x"), await shown("q=nobody")]).toEqual([
    "more than 25",
    "9",
    "0",
  ]);
  // A hundred and eleven people, the last eleven of them on a page of their own.
  const found = "q=person+1&size=100";
  const { page, total } = await opened(`${found}&after=${(await opened(found)).page.next}`);
  expect([page.rows.length, countInWords(total)]).toEqual([11, "more than 100"]);
  expect(await shown(`${found}&before=${page.previous}`)).toBe("more than 100");
});

test("two letters find nobody, and the list says why", async () => {
  const { page, total } = await open("q=77");
  expect([page.rows, total.count]).toEqual([[], 0]);
  expect(peopleList.noMatchReason?.({ q: "77", role: null })).toBe(SEARCH_TOO_SHORT);
});

test("somebody of one organization sees its people only: in the page, the count, the selection and the file", async () => {
  for (const query of ["", "role=user", "role=moderator&sort=name", "q=person", "q=person&role=user", "size=100"]) {
    const rows = await all(query, client);
    expect(new Set(rows.map(({ organization }) => organization)), query).toEqual(new Set(["Cedar Dental"]));
    const params = new URLSearchParams(query);
    const filter = peopleList.readFilter(params);
    const selection = await peopleRows.selectMatching(context.db, { filter, viewer: client });
    expect(
      selection.rows.map(({ id }) => id),
      query,
    ).toEqual(rows.map(({ id }) => id));
    let lines = 0;
    for await (const chunk of peopleRows.csvExport.lines(context.db, { params, viewer: client })) lines += chunk.length;
    expect(lines, query).toBe(rows.length);
    const { count, more } = (await open(query, client)).total;
    expect(more ? count : rows.length, query).toBe(count);
  }
});

test("filters that no single index answers are answered by the tokens of the search, and nothing reads more than its page", async () => {
  for (const query of ["", "role=admin", "sort=name", "q=person", "q=person&role=user", "q=nobody"]) {
    for (const viewer of [staff, client]) {
      Object.assign(context.cost, { rowsRead: 0, trips: 0 });
      const { page } = await open(query, viewer);
      expect(page.scanned, query).toBeNull();
      expect(context.cost.rowsRead, query).toBeLessThanOrEqual(300);
      expect(context.cost.trips, query).toBe(1);
    }
  }
  await expectNoScan(statements, 15, ["listed_people", "listed_organizations"]);
});
