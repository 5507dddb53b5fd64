import { sql } from "drizzle-orm";
import type { PlatformRole } from "~/access/model";
import { commonCriteria, type ListCriteria } from "~/lists/criteria";
import { defineRows } from "~/lists/define-rows.server";
import { type Clause, searchByNumber } from "~/lists/row-source.server";
import { formatInstant } from "~/ui/text";
import { type UserFilter, userList } from "./definition";
import { ROLE_LABELS, USER_STATUS_LABELS } from "./labels";
import type { ListedUser, PendingInvitation } from "./model";
import { countUsers, OPEN_INVITATION } from "./queries.server";

/** Repeats the condition of the partial index `invited_users`, which must be written as there. */
const INVITED: Clause = { key: "invited", where: sql`t.status = 'pending'`, isRare: true };

type StoredRow = Omit<ListedUser, "invitation"> & { invitation: string | null };

const COLUMNS = `t.id, t.full_name AS name, t.email, t.phone, t.listed_role AS role, t.status, t.created_at AS joinedAt`;

export const userRows = defineRows({
  list: userList,
  table: "users",
  visibleTo: { any: () => ({}) },
  criteriaOf: (filter, viewer): ListCriteria<UserFilter["sort"]> & { role: PlatformRole | null; isInvited?: true } => ({
    ...commonCriteria(filter, viewer),
    role: filter.role,
    ...(filter.view === "invited" ? { isInvited: true } : {}),
  }),
  clauses: ({ role, isInvited }) => [
    ...(role ? [{ key: "role", where: sql`t.listed_role = ${role}`, token: { has: `r.${role.slice(0, 1)}` } }] : []),
    ...(isInvited ? [INVITED] : []),
  ],
  maintainedCount: (db, { search, role, isInvited }) =>
    search || isInvited ? null : countUsers(db).then((counts) => counts[role ?? "all"]),
  orders: {
    joined: {
      columns: { number: "number" },
      indexes: { invited_users: ["invited"], users_in_order: [], users_by_role: ["role"] },
    },
    name: {
      columns: { name_key: "text", id: "text" },
      indexes: { users_by_name: [], users_by_role_and_name: ["role"] },
    },
  },
  search: searchByNumber("user_search", { rowIdIndex: "users_in_order", order: "joined" }),
  limits: { scan: 40 },
  lookups: { invitation: OPEN_INVITATION },
  columns: COLUMNS,
  view: ({ invitation, ...row }: StoredRow): ListedUser => ({
    ...row,
    invitation: invitation === null ? null : (JSON.parse(invitation) as PendingInvitation),
  }),
  csv: {
    columns: COLUMNS,
    cells: {
      Name: (row: StoredRow) => row.name,
      Email: (row) => row.email,
      Role: (row) => ROLE_LABELS[row.role],
      Status: (row) => USER_STATUS_LABELS[row.status],
      "Joined (UTC)": (row) => new Date(row.joinedAt).toISOString(),
      "Joined (site time)": (row, zone) => formatInstant(row.joinedAt, zone, "datetime"),
    },
  },
});
