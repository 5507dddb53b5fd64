import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { fold } from "~/lib/text";
import { days } from "~/lib/time";
import { SEARCH_TOO_SHORT } from "~/lists/copy";
import { commonCriteria, isShort, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { defineList } from "~/lists/define-list";
import { defineRows } from "~/lists/define-rows.server";
import { choiceField, searchField } from "~/lists/fields";
import { countInWords } from "~/lists/match-count";
import { pageRequest } from "~/lists/paging.server";
import { testContext, WEDNESDAY } from "../../support/context";
import { expectNoScan, recordedContext } from "../../support/recorded-database";

/*
 * A list of people as it is going to be defined, over a table of this test: search by name and e-mail, a filter by
 * role, the orders by name and by the day somebody joined. A viewer of one organization sees its people only.
 */

const ROLES = ["admin", "moderator", "user"] as const;
type Role = (typeof ROLES)[number];

const peopleList = defineList({
  name: "people",
  path: "/admin/people",
  noun: { one: "person", many: "people" },
  fields: { q: searchField(), role: choiceField(ROLES) },
  orders: {
    joined: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", allowedFilters: ["role"] },
  },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first", name: "Name, A to Z", name_desc: "Name, Z to A" },
  noMatchReason: ({ q }) => (isShort(fold(q)) && fold(q) ? SEARCH_TOO_SHORT : null),
});

type Criteria = ListCriteria<"newest" | "oldest" | "name" | "name_desc"> & {
  role?: Role | null;
  organizationId?: string;
};
type Viewer = ListViewer & { organizationId: string | null };
type Person = { id: string; name: string; role: Role; organization: string };

const peopleRows = defineRows({
  list: peopleList,
  table: "listed_people",
  joins: "LEFT JOIN listed_organizations o ON o.id = t.organization_id",
  visibleTo: ({ organizationId }: Viewer): Partial<Criteria> => (organizationId ? { organizationId } : {}),
  criteriaOf: (filter, viewer): Criteria => ({ ...commonCriteria(filter, viewer), role: filter.role }),
  clauses: ({ role, organizationId }) => [
    ...(role ? [{ key: "role", where: sql`t.role = ${role}`, token: { has: `r.${role}` } }] : []),
    ...(organizationId
      ? [
          {
            key: "organization",
            where: sql`t.organization_id = ${organizationId}`,
            token: { has: `@${organizationId}.` },
          },
        ]
      : []),
  ],
  orders: {
    joined: {
      columns: { joined_at: "number", id: "text" },
      indexes: { people_newest: [], people_by_role: ["role"], people_by_organization: ["organization"] },
    },
    name: {
      columns: { name_key: "text", id: "text" },
      indexes: {
        people_by_name: [],
        people_by_role_and_name: ["role"],
        people_of_organization_by_name: ["organization"],
      },
    },
  },
  search: {
    table: "people_search",
    textColumn: "search_text",
    tokenColumn: "search_tokens",
    foldedColumn: "search_text",
    rowIdColumn: "number",
    order: "joined",
  },
  columns: "t.id, t.name, t.role, o.name AS organization",
  view: (row: Person) => row,
  csv: {
    columns: "t.name, t.role, o.name AS organization",
    cells: { Name: (row: Person) => row.name, Role: (row) => row.role, Organization: (row) => row.organization },
  },
});

const { context, statements } = recordedContext();
const staff: Viewer = { zone: "UTC", now: WEDNESDAY, userId: "usr_staff", organizationId: null };
const client: Viewer = { ...staff, organizationId: "org_2" };
const COUNT = 900;

beforeAll(async () => {
  const { db } = testContext();
  for (const statement of [
    "CREATE TABLE listed_organizations(id TEXT PRIMARY KEY, name TEXT)",
    `CREATE TABLE listed_people(id TEXT PRIMARY KEY, number INTEGER UNIQUE, name TEXT, email TEXT, role TEXT,
      organization_id TEXT, joined_at INTEGER, name_key TEXT, search_text TEXT, version INTEGER, updated_at INTEGER,
      search_tokens TEXT GENERATED ALWAYS AS ('r.' || role || ' @' || organization_id || '.') VIRTUAL)`,
    "CREATE INDEX people_newest ON listed_people(joined_at, id)",
    "CREATE INDEX people_by_role ON listed_people(role, joined_at, id)",
    "CREATE INDEX people_by_organization ON listed_people(organization_id, joined_at, id)",
    "CREATE INDEX people_by_name ON listed_people(name_key, id)",
    "CREATE INDEX people_by_role_and_name ON listed_people(role, name_key, id)",
    "CREATE INDEX people_of_organization_by_name ON listed_people(organization_id, name_key, id)",
    `CREATE VIRTUAL TABLE people_search USING fts5(search_text, search_tokens, content = 'listed_people',
      content_rowid = 'number', tokenize = 'trigram case_sensitive 1')`,
    "INSERT INTO listed_organizations VALUES ('org_1', 'Larkspur Row'), ('org_2', 'Cedar Dental')",
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
      INSERT INTO listed_people(id, number, name, email, role, organization_id, joined_at, name_key, search_text, version,
        updated_at)
      SELECT printf('usr_%04d', i), i, 'Person ' || i, i || '@x.example', CASE WHEN i % 50 = 0 THEN 'admin'
          WHEN i % 10 = 1 THEN 'moderator' ELSE 'user' END, iif(i % 3 = 0, 'org_2', 'org_1'), i * ${days(1)},
        printf('person %04d', i * 7919 % 1009), 'person ' || i || ' ' || i || '@x.example', 1, i FROM n`,
    "INSERT INTO people_search(people_search) VALUES ('rebuild')",
  ]) {
    await db.run(sql.raw(statement));
  }
});

const open = (query: string, viewer = staff) => {
  const params = new URLSearchParams(query);
  return peopleRows.read(context.db, { filter: peopleList.readFilter(params), page: pageRequest(params), viewer });
};

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
    const criteria = peopleRows.criteriaOf(peopleList.readFilter(params), client);
    const selected = await peopleRows.selectMatching(context.db, criteria);
    expect(
      selected.map(({ id }) => id),
      query,
    ).toEqual(rows.map(({ id }) => id));
    let lines = 0;
    for await (const chunk of peopleRows.csvExport.lines(context.db, { params, viewer: client })) lines += chunk.length;
    expect(lines, query).toBe(rows.length);
    const { count, more } = await peopleRows.count(context.db, criteria);
    expect(more ? count : rows.length, query).toBe(count);
  }
  const named = { params: new URLSearchParams("ids=usr_0003,usr_0004,usr_0006"), viewer: client };
  const taken: unknown[] = [];
  for await (const chunk of peopleRows.csvExport.lines(context.db, named)) taken.push(...chunk);
  expect(taken).toEqual([
    ["Person 6", "user", "Cedar Dental"],
    ["Person 3", "user", "Cedar Dental"],
  ]);
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
