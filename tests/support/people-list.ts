import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import { days } from "~/lib/time";
import { commonCriteria, type ListCriteria, type ListViewer } from "~/lists/criteria";
import { choiceField, defineList, searchField } from "~/lists/define-list";
import { defineRows } from "~/lists/define-rows.server";
import { pageRequest } from "~/lists/paging.server";
import type { ReadLimits } from "~/lists/row-source.server";
import { WEDNESDAY } from "./context";

/*
 * A list of people as it is going to be defined, over a table of its tests: search by name and e-mail, a filter by
 * role, the orders by name and by the day somebody joined. Somebody who has its ability in their organization only sees
 * its people only.
 */

const ROLES = ["admin", "moderator", "user"] as const;
export type Role = (typeof ROLES)[number];

export const peopleList = defineList({
  name: "people",
  ability: "organization.view",
  path: "/admin/people",
  csvPath: "/admin/exports/people.csv",
  noun: { one: "person", many: "people" },
  fields: { q: searchField(), role: choiceField(ROLES) },
  orders: {
    joined: { ascending: "oldest", descending: "newest", isTime: true },
    name: { ascending: "name", descending: "name_desc", allowedFilters: ["role"] },
  },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first", name: "Name, A to Z", name_desc: "Name, Z to A" },
  describe: ({ q, role }) => [
    { label: q || null, fields: ["q"] },
    { label: role, fields: ["role"] },
  ],
});

export type Criteria = ListCriteria<"newest" | "oldest" | "name" | "name_desc"> & {
  role?: Role | null;
  organizationId?: string;
  roles?: readonly Role[];
};
export type Person = { id: string; name: string; role: Role; organization: string };

type Variants = {
  ofOrganization?: (actor: Actor) => Partial<Pick<Criteria, "organizationId" | "roles">>;
  maintainedCount?: (db: Db, criteria: Criteria) => Promise<number> | null;
  maintainsLimitedCounts?: boolean;
  limits?: ReadLimits;
};

const ownOrganization: Variants["ofOrganization"] = ({ membership }) => ({
  organizationId: membership?.organizationId,
});

export const definePeople = ({ ofOrganization = ownOrganization, ...counts }: Variants = {}) =>
  defineRows({
    ...counts,
    list: peopleList,
    table: "listed_people",
    joins: "LEFT JOIN listed_organizations o ON o.id = t.organization_id",
    visibleTo: { any: () => ({}), organization: ofOrganization },
    criteriaOf: (filter, viewer): Criteria => ({ ...commonCriteria(filter, viewer), role: filter.role }),
    clauses: ({ role, roles, organizationId }) => [
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
      ...(roles
        ? [
            {
              key: "roles",
              where: sql`t.role IN (SELECT value FROM json_each(${JSON.stringify(roles)}))`,
              token: { hasAny: roles.map((one) => `r.${one}`) },
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
      foldedText: "t.search_text",
      rowIdColumn: "number",
      rowIdIndex: "people_in_order",
      order: "joined",
    },
    columns: "t.id, t.name, t.role, o.name AS organization",
    view: (row: Person) => row,
    csv: {
      columns: "t.name, t.role, o.name AS organization",
      cells: { Name: (row: Person) => row.name, Role: (row) => row.role, Organization: (row) => row.organization },
    },
  });

export const peopleRows = definePeople();
const viewerAs = (actor: Actor): ListViewer => ({ actor, zone: "UTC", now: WEDNESDAY });
export const staff = viewerAs({ userId: "usr_staff", role: "moderator", membership: null });
const member = { organizationId: "org_2", role: "member" } as const;
export const client = viewerAs({ userId: "usr_client", role: "user", membership: member });
export const stranger = viewerAs({ userId: "usr_stranger", role: "user", membership: null });
/** Says how many people there are. Every third belongs to the client's organization. */
export const COUNT = 900;

/** Makes the tables of the list, with everybody in them. */
export async function fillPeople(db: Db): Promise<void> {
  for (const statement of [
    "CREATE TABLE listed_organizations(id TEXT PRIMARY KEY, name TEXT)",
    `CREATE TABLE listed_people(id TEXT PRIMARY KEY, number INTEGER, name TEXT, email TEXT, role TEXT,
      organization_id TEXT, joined_at INTEGER, name_key TEXT, search_text TEXT, version INTEGER, updated_at INTEGER, note TEXT,
      search_tokens TEXT GENERATED ALWAYS AS ('r.' || role || ' @' || organization_id || '.') VIRTUAL)`,
    "CREATE UNIQUE INDEX people_in_order ON listed_people(number)",
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
}

/** Reads the page of an address, as the viewer sees it. */
export const openPeople = (db: Db, query: string, { viewer = staff, rows = peopleRows } = {}) => {
  const params = new URLSearchParams(query);
  return rows.read(db, { filter: peopleList.readFilter(params), page: pageRequest(params), viewer });
};
