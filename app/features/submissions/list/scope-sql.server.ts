import { type SQL, sql } from "drizzle-orm";
import type { PageKey } from "~/lib/paging";
import type { Instant } from "~/lib/time";
import { SUBMISSION_STATUSES, type SubmissionStatus } from "../model";
import type { ListSort, SubmissionScope } from "./list-filter";
import { hitsOf, isShort } from "./search-sql.server";

/**
 * How the rows of a scope are found.
 * - `index`: one index has them in order.
 * - `hits`: the index of a term has them in order.
 * - `sifted_hits`, `sifted_rows`: no index knows both the term and the rest, so the hits of the term, or the rows of
 *   the rest, are sifted.
 */
type Way = "index" | "hits" | "sifted_hits" | "sifted_rows";

export function wayOf({ search, held, status, ownerId, followUpBy }: SubmissionScope): Way {
  if (!search) return "index";
  // What is to be taken up again is a small part of all; of held requests the letters are not indexed.
  if (followUpBy || (held && isShort(search))) return "sifted_rows";
  return isShort(search) && (status || ownerId) ? "sifted_hits" : "hits";
}

/** So many candidates a page sifts before it asks whether to go on. A hit costs its row as well. */
const REACH = { sifted_hits: 75, sifted_rows: 150 };

/** How many candidates a page of this scope sifts; null where nothing has to be sifted. */
export function reachOf(scope: SubmissionScope): number | null {
  const way = wayOf(scope);
  return way === "sifted_hits" || way === "sifted_rows" ? REACH[way] : null;
}

const byTerm = (scope: SubmissionScope) => wayOf(scope) === "hits" || wayOf(scope) === "sifted_hits";

const rankOf = (status: SubmissionStatus) => SUBMISSION_STATUSES.indexOf(status);

function conditions(scope: SubmissionScope): SQL {
  const all: SQL[] = [scope.held ? sql`t.held_reason IS NOT NULL` : sql`t.held_reason IS NULL`];
  if (scope.status) all.push(sql`t.status_rank = ${sql.raw(String(rankOf(scope.status)))}`);
  if (scope.ownerId) all.push(sql`t.owner_id = ${scope.ownerId}`);
  if (scope.followUpBy) {
    all.push(sql`t.follow_up_on IS NOT NULL AND t.follow_up_on <= ${scope.followUpBy} AND t.status <> 'resolved'`);
  }
  if (scope.from !== undefined) all.push(sql`t.created_at >= ${scope.from}`);
  if (scope.until !== undefined) all.push(sql`t.created_at < ${scope.until}`);
  if (scope.unchangedSince !== undefined) all.push(sql`t.updated_at <= ${scope.unchangedSince}`);
  return sql.join(all, sql` AND `);
}

const contains = ({ search }: SubmissionScope): SQL => (search ? sql`instr(t.search_text, ${search}) > 0` : sql`1`);

/** What is to be taken up again lies in an index of its own that is not found by itself. */
const tableOf = ({ followUpBy }: SubmissionScope) =>
  sql.raw(followUpBy ? "contact_submissions t INDEXED BY submissions_to_follow_up" : "contact_submissions t");

/** What a row's place in any order is made of; every list reads these columns. */
export const PLACED = sql.raw("t.id, t.number, t.name_key, t.status, t.created_at, t.search_id");
export type PlacedRow = {
  id: string;
  number: number;
  name_key: string;
  status: SubmissionStatus;
  created_at: Instant;
  search_id: number;
};

type Order = {
  columns: readonly string[];
  keyOf: (row: PlacedRow) => PageKey;
  /** The values of the columns at a key, or null when the key is one of another order. */
  valuesAt: (key: PageKey) => (number | string)[] | null;
  /** Before the first row, so that the first page is found the way every other page is found. */
  start: { ascending: (number | string)[]; descending: (number | string)[] };
};

/** A status and a moment in one number: moments have thirteen digits until the year 2286. */
const STATUS_STEP = 10 ** 14;
const LAST_NAME_KEY = "\u{10FFFF}\u{10FFFF}";

const ORDERS: Record<"time" | "name" | "status", Order> = {
  time: {
    columns: ["t.created_at", "t.id"],
    keyOf: ({ created_at, id }) => ({ at: created_at, id }),
    valuesAt: ({ at, id }) => (typeof at === "number" ? [at, id] : null),
    start: { ascending: [-1, ""], descending: [Number.MAX_SAFE_INTEGER, ""] },
  },
  name: {
    columns: ["t.name_key", "t.id"],
    keyOf: ({ name_key, id }) => ({ at: name_key, id }),
    valuesAt: ({ at, id }) => (typeof at === "string" ? [at, id] : null),
    start: { ascending: ["", ""], descending: [LAST_NAME_KEY, ""] },
  },
  status: {
    columns: ["t.status_rank", "t.created_at", "t.id"],
    keyOf: ({ status, created_at, id }) => ({ at: rankOf(status) * STATUS_STEP + created_at, id }),
    valuesAt: ({ at, id }) => (typeof at === "number" ? [Math.floor(at / STATUS_STEP), at % STATUS_STEP, id] : null),
    start: { ascending: [-1, -1, ""], descending: [SUBMISSION_STATUSES.length, -1, ""] },
  },
};

const ORDER_OF: Record<ListSort, keyof typeof ORDERS> = {
  newest: "time",
  oldest: "time",
  name: "name",
  name_desc: "name",
  status: "status",
  status_desc: "status",
};

const orderOf = ({ sort = "newest" }: SubmissionScope): Order => ORDERS[ORDER_OF[sort]];

/** Whether the first row of the list has the smallest key. */
export const isAscending = ({ sort = "newest" }: SubmissionScope): boolean =>
  sort === "oldest" || sort === "name" || sort === "status";

/** The key of a row in the order of its list. Hits of a term lie in the order of their index. */
export const keyOf = (scope: SubmissionScope, row: PlacedRow): PageKey =>
  byTerm(scope) ? { at: row.search_id, id: row.id } : orderOf(scope).keyOf(row);

export type Stretch = { from: PageKey | null; ascending: boolean; limit: number };

const directionOf = ({ ascending }: Stretch) => sql.raw(ascending ? "ASC" : "DESC");

/** The condition that rows lie beyond a place, and their order. */
function walk(scope: SubmissionScope, stretch: Stretch): { beyond: SQL; order: SQL } {
  const { columns, valuesAt, start } = orderOf(scope);
  const values = (stretch.from && valuesAt(stretch.from)) ?? start[stretch.ascending ? "ascending" : "descending"];
  const listed = sql.raw(columns.join(", "));
  const places = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
  const order = columns.map((column) => sql`${sql.raw(column)} ${directionOf(stretch)}`);
  return {
    beyond: sql`(${listed}) ${sql.raw(stretch.ascending ? ">" : "<")} (${places})`,
    order: sql`ORDER BY ${sql.join(order, sql`, `)}`,
  };
}

/**
 * The rows of a scope from a place on, as `FROM … ORDER BY … LIMIT …` over the alias `t`: complete, whatever has to be
 * sifted for it.
 */
export function stretchOf(scope: SubmissionScope, stretch: Stretch): SQL {
  const { limit } = stretch;
  if (byTerm(scope)) {
    return sql`FROM (SELECT f.rowid AS hit ${hitsOf(scope, stretch)} ORDER BY f.rowid ${directionOf(stretch)}) hits
      CROSS JOIN contact_submissions t ON t.search_id = hits.hit WHERE ${contains(scope)} AND ${conditions(scope)}
      ORDER BY hits.hit ${directionOf(stretch)} LIMIT ${limit}`;
  }
  const { beyond, order } = walk(scope, stretch);
  return sql`FROM ${tableOf(scope)} WHERE ${conditions(scope)} AND ${contains(scope)} AND ${beyond} ${order} LIMIT ${limit}`;
}

/** The candidates from a place on, as `SELECT <columns>, fits FROM …`: each row that is looked at, fitting or not. */
export function candidatesOf(scope: SubmissionScope, stretch: Stretch, columns: SQL): SQL {
  const { limit } = stretch;
  if (byTerm(scope)) {
    return sql`SELECT ${columns}, (${contains(scope)} AND ${conditions(scope)}) AS fits
      FROM (SELECT f.rowid AS hit ${hitsOf(scope, stretch)} ORDER BY f.rowid ${directionOf(stretch)} LIMIT ${limit}) hits
      CROSS JOIN contact_submissions t ON t.search_id = hits.hit ORDER BY hits.hit ${directionOf(stretch)}`;
  }
  const { beyond, order } = walk(scope, stretch);
  return sql`SELECT ${columns}, ${contains(scope)} AS fits FROM ${tableOf(scope)}
    WHERE ${conditions(scope)} AND ${beyond} ${order} LIMIT ${limit}`;
}
