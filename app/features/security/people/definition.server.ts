import { sql } from "drizzle-orm";
import { CODE_PERIOD } from "~/features/auth/factors.server";
import { getSettings } from "~/features/settings/queries.server";
import { ROLE_LABELS } from "~/features/user-management/labels";
import { inUtc } from "~/lib/csv";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows, type ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { searchByNumber } from "~/lists/row-source.server";
import type { Ctx } from "~/platform/context.server";
import { formatInstant } from "~/ui/text";
import { FACTOR_LABELS } from "../labels";
import type { FactorCoverage, FactorRow } from "../model";
import { readCoverage } from "../queries.server";
import { type FactorFilter, factorList } from "./definition";

const SIDE_TOKENS = { staff: { hasAny: ["r.a", "r.m"] }, client: { has: "r.u" } } as const;

const COLUMNS = `t.id, t.full_name AS name, t.email, t.listed_role AS role, t.status, t.factor_state AS factor`;

/** By its step; that of a backup code stands with the code. */
const LOOKUPS = {
  lastCodeAt: `(SELECT nullif(last_totp_step, 0) * ${CODE_PERIOD} FROM user_mfa_settings WHERE user_id = t.id)`,
  codes: `(SELECT json_object('left', count(*) - count(used_at), 'usedAt', max(used_at)) FROM mfa_backup_codes
    WHERE user_id = t.id)`,
};

type StoredRow = Omit<FactorRow, "codesLeft" | "lastUsedAt"> & { lastCodeAt: number | null; codes: string };

function view({ lastCodeAt, codes, ...row }: StoredRow): FactorRow {
  const { left, usedAt } = JSON.parse(codes) as { left: number; usedAt: number | null };
  return { ...row, codesLeft: left, lastUsedAt: lastCodeAt === null ? usedAt : Math.max(lastCodeAt, usedAt ?? 0) };
}

export const factorRows = defineRows({
  list: factorList,
  table: "users",
  visibleTo: { any: () => ({}) },
  criteriaOf: (filter, viewer): ListCriteria<FactorFilter["sort"]> & Pick<FactorFilter, "side" | "factor"> => ({
    ...commonCriteria(filter, viewer),
    side: filter.side,
    factor: filter.factor,
  }),
  clauses: ({ side, factor }) => [
    ...(side
      ? [
          {
            key: "side",
            where: side === "staff" ? sql`t.is_staff = 1` : sql`t.is_staff = 0`,
            token: SIDE_TOKENS[side],
          },
        ]
      : []),
    ...(factor ? [{ key: "factor", where: sql`t.factor_state = ${factor}` }] : []),
  ],
  orders: {
    joined: {
      columns: { number: "number" },
      indexes: { users_in_order: [], users_by_factor: ["factor"], users_by_side_and_factor: ["side", "factor"] },
    },
  },
  search: searchByNumber("user_search", { rowIdIndex: "users_in_order", order: "joined" }),
  limits: { scan: 30 },
  lookups: LOOKUPS,
  columns: COLUMNS,
  view,
  csv: {
    columns: [COLUMNS, ...Object.entries(LOOKUPS).map(([name, value]) => `${value} AS ${name}`)].join(", "),
    cells: {
      Name: (row: StoredRow) => row.name,
      Email: (row) => row.email,
      Role: (row) => ROLE_LABELS[row.role],
      "Two-step sign-in": (row) => (row.factor === "none" ? null : FACTOR_LABELS[row.factor]),
      "Last used (UTC)": (row) => inUtc(view(row).lastUsedAt),
      "Last used (site time)": (row, zone) => {
        const at = view(row).lastUsedAt;
        return at === null ? null : formatInstant(at, zone, "datetime");
      },
      "Codes left": (row) => (row.factor === "on" ? view(row).codesLeft : null),
    },
  },
});

export async function readFactors(
  { db }: Pick<Ctx, "db">,
  request: ListRequest<FactorFilter>,
): Promise<ListRead<FactorRow> & { coverage: FactorCoverage; isOfClients: boolean }> {
  const [coverage, read, { mfaOfClientsSince }] = await Promise.all([
    readCoverage(db),
    factorRows.read(db, request),
    getSettings(db),
  ]);
  return { ...read, coverage, isOfClients: mfaOfClientsSince !== null };
}
