import { sql } from "drizzle-orm";
import type { OrganizationPlan } from "~/features/organizations/model";
import { snippetOf } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows, type ListRequest } from "~/lists/define-rows.server";
import { type Clause, searchByNumber } from "~/lists/row-source.server";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/text";
import { type OrganizationFilter, organizationList } from "./definition";
import type { ListedOrganization, OrganizationListRead } from "./model";
import { countOrganizations } from "./queries.server";

type OrganizationCriteria = ListCriteria<OrganizationFilter["sort"]> & { toReview?: boolean };

/** Repeats the condition of the partial index `organizations_to_review`, which must be written as there. */
const TO_REVIEW: Clause = { key: "to_review", where: sql`t.needs_review_at IS NOT NULL`, token: { has: "new" } };

/** Limits how much of a description a row shows, in characters; one more is read, to tell whether it goes on. */
const SNIPPET_LENGTH = 120;

const COMMON_COLUMNS = `t.name, t.slug, t.plan, t.active_members AS members, t.ticket_count AS tickets,
  t.active_ticket_count AS activeTickets, t.created_at AS createdAt, t.needs_review_at IS NOT NULL AS needsReview`;

type CommonRow = Pick<ListedOrganization, "name" | "slug" | "members" | "tickets" | "activeTickets"> & {
  plan: OrganizationPlan;
  createdAt: Instant;
  needsReview: number;
};

export const organizationRows = defineRows({
  list: organizationList,
  table: "organizations",
  visibleTo: {
    any: () => ({}),
    organization: ({ membership }): { id?: string } => ({ id: membership?.organizationId }),
  },
  criteriaOf: (filter, viewer): OrganizationCriteria & { id?: string } => ({
    ...commonCriteria(filter, viewer),
    toReview: filter.toReview,
  }),
  clauses: ({ toReview, id }) => [
    ...(toReview ? [TO_REVIEW] : []),
    ...(id ? [{ key: "id", where: sql`t.id = ${id}` }] : []),
  ],
  maintainedCount: (db, { search, toReview }) =>
    search ? null : countOrganizations(db).then((counts) => counts[toReview ? "toReview" : "organizations"]),
  orders: {
    created: {
      columns: { number: "number" },
      indexes: { organizations_in_order: [], organizations_to_review: ["to_review"] },
    },
    name: { columns: { name_key: "text", id: "text" }, indexes: { organizations_by_name: [] } },
    tickets: {
      columns: { active_ticket_count: "number", sort_number: "number" },
      indexes: { organizations_by_active_tickets: [] },
    },
  },
  // `searchMatches` in lists/search-sql.server.ts builds the SQL of the search.
  search: searchByNumber("organization_search", { rowIdIndex: "organizations_in_order", order: "created" }),
  columns: `t.id, substr(t.description, 1, ${SNIPPET_LENGTH + 1}) AS description, ${COMMON_COLUMNS}`,
  view: (row: CommonRow & { id: string; description: string }): ListedOrganization => ({
    ...row,
    description: snippetOf(row.description, SNIPPET_LENGTH),
    needsReview: row.needsReview === 1,
  }),
  csv: {
    columns: `t.description, ${COMMON_COLUMNS}`,
    cells: {
      Name: (row: CommonRow & { description: string }) => row.name,
      Slug: (row) => row.slug,
      Description: (row) => row.description,
      Plan: (row, _zone, names) => names[row.plan] ?? row.plan,
      Members: (row) => row.members,
      Tickets: (row) => row.tickets,
      "Active tickets": (row) => row.activeTickets,
      Review: (row) => (row.needsReview === 1 ? "New" : ""),
      "Created (UTC)": (row) => new Date(row.createdAt).toISOString(),
      "Created (site time)": (row, zone) => formatInstant(row.createdAt, zone, "datetime"),
    },
  },
});

export async function readOrganizationList(
  { db }: Pick<Ctx, "db">,
  request: ListRequest<OrganizationFilter>,
): Promise<OrganizationListRead> {
  const [figures, read] = await Promise.all([countOrganizations(db), organizationRows.read(db, request)]);
  return { ...read, figures };
}
