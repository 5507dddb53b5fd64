import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { CsvCell } from "~/lib/csv";
import { inUtc } from "~/lib/csv";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { type Clause, searchByNumber } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { monthTitle } from "./compose-letter";
import { type LetterFilter, letterList, type OwnLetterFilter, ownLetterList } from "./list";
import type { ListedLetter } from "./model";

type LetterCriteria = ListCriteria<LetterFilter["sort"]> & {
  status?: ListedLetter["status"];
  organizationId?: string;
};

const COLUMNS = `t.id, o.name AS organization, t.month, t.status, t.released_at AS releasedAt,
  json_extract(t.facts_json, '$.promises.kept') AS kept, json_extract(t.facts_json, '$.promises.missed') AS missed`;

type StoredRow = Omit<ListedLetter, "title"> & { month: string };

const view = ({ month, ...row }: StoredRow): ListedLetter => ({ ...row, title: monthTitle(month) });

const FILE_COLUMNS = `${COLUMNS}, t.recipients, t.letter_hash AS hash`;

type FileRow = StoredRow & { recipients: number | null; hash: string | null };

const CELLS = {
  Organization: (row) => row.organization,
  Month: (row) => row.month,
  Status: (row) => (row.status === "draft" ? "Draft" : "Released"),
  "Promises kept": (row) => row.kept,
  "Promises missed": (row) => row.missed,
  "Released (UTC)": (row) => inUtc(row.releasedAt),
  "Released (site time)": (row, zone) =>
    row.releasedAt === null ? null : formatInstant(row.releasedAt, zone, "datetime"),
  "Mailed to": (row) => row.recipients,
  "SHA-256": (row) => row.hash,
} satisfies Record<string, (row: FileRow, zone: string) => CsvCell>;

const STATUS_TOKENS = { draft: { has: "s.d" }, released: { has: "s.r" } } as const;

function clauses({ status, organizationId }: Partial<LetterCriteria>): Clause[] {
  if (organizationId) {
    // One condition: the drafts of an organization, which it does not see, are too few to need an index.
    return [{ key: "own", where: sql`t.organization_id = ${organizationId} AND t.status = 'released'` }];
  }
  return status ? [{ key: "status", where: sql`t.status = ${status}`, token: STATUS_TOKENS[status] }] : [];
}

const ROWS = {
  table: "letters",
  joins: "CROSS JOIN organizations o ON o.id = t.organization_id",
  clauses,
  columns: COLUMNS,
  view,
};

export const letterRows = defineRows({
  ...ROWS,
  list: letterList,
  visibleTo: { any: () => ({}) },
  criteriaOf: (filter: LetterFilter, viewer): LetterCriteria => ({
    ...commonCriteria(filter, viewer),
    status: filter.status ?? "draft",
  }),
  // Numbers rise with the month.
  orders: { month: { columns: { number: "number" }, indexes: { letters_by_status: ["status"] } } },
  search: searchByNumber("letter_search", { rowIdIndex: "letters_in_order", order: "month" }),
  csv: { columns: FILE_COLUMNS, cells: CELLS },
});

const ofOwnOrganization = ({ membership }: Actor) => ({ organizationId: membership?.organizationId });

export const ownLetterRows = defineRows({
  ...ROWS,
  list: ownLetterList,
  visibleTo: { organization: ofOwnOrganization },
  criteriaOf: ({ sort }: OwnLetterFilter): LetterCriteria => ({ sort }),
  orders: { month: { columns: { month: "text" }, indexes: { one_letter_a_month: ["own"] } } },
  csv: { columns: FILE_COLUMNS, cells: CELLS },
});
