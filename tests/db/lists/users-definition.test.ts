import { beforeAll, expect, test } from "vitest";
import { days } from "~/lib/time";
import { countInWords } from "~/lists/model";
import { testContext } from "../../support/context";
import {
  COUNT,
  client,
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
  expect(countInWords((await open("q=person")).total)).toBe("more than 50");
  expect(countInWords((await open("role=admin")).total)).toBe("18");
});

test("one or two letters find what has them, page by page, with a role too, and are counted exactly", async () => {
  const having = (text: string) => numbers.filter((i) => `person ${i} ${i}@x.example`.includes(text)).reverse();
  for (const text of ["77", "7", "8@", "0"]) {
    const found = having(text).map((i) => `Person ${i}`);
    expect((await all(`q=${encodeURIComponent(text)}`)).map(({ name }) => name)).toEqual(found);
    expect((await all(`q=${encodeURIComponent(text)}&sort=oldest`)).map(({ name }) => name)).toEqual(found.reverse());
    expect((await open(`q=${encodeURIComponent(text)}`)).total).toEqual({ count: found.length, more: false });
  }
  const moderators = having("7").filter((i) => roleOf(i) === "moderator");
  expect((await all("q=7&role=moderator")).map(({ name }) => name)).toEqual(moderators.map((i) => `Person ${i}`));
  expect(countInWords((await open("q=7&role=moderator")).total)).toBe(String(moderators.length));
  const first = await open("q=7");
  const second = await open(`q=7&after=${first.page.next}`);
  expect((await open(`q=7&before=${second.page.previous}`)).page.rows).toEqual(first.page.rows);
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

test("one or two letters are looked for in the newest five thousand rows of what somebody sees", async () => {
  const { db } = testContext();
  // Nobody else has a "q". One of them is older than five thousand people, but not than five thousand clients.
  await db.run(`WITH RECURSIVE n(i) AS (SELECT 901 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
    INSERT INTO listed_people(id, number, name, email, role, organization_id, joined_at, name_key, search_text, version,
      updated_at)
    SELECT printf('usr_%04d', i), i, 'Late ' || i, '', 'user', iif(i % 3 = 0, 'org_2', 'org_1'), i * ${days(1)}, 'x',
      'late ' || i || iif(i IN (903, 5999), ' q', ''), 1, i FROM n`);
  const staffPage = await open("q=q");
  expect(staffPage.page.rows.map(({ name }) => name)).toEqual(["Late 5999"]);
  expect(staffPage.total).toEqual({ count: 1, more: "older" });
  expect((await open("q=zq")).total).toEqual({ count: 0, more: "older" });
  const clientPage = await open("q=q", client);
  expect(clientPage.page.rows.map(({ name }) => name)).toEqual(["Late 903"]);
  expect(clientPage.total).toEqual({ count: 1, more: false });
  const selected = await peopleRows.selectMatching(db, {
    filter: peopleList.readFilter(new URLSearchParams("q=q")),
    viewer: staff,
  });
  expect(selected.rows.map(({ id }) => id)).toEqual(["usr_5999"]);
});
