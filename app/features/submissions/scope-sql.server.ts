import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { PageKey } from "~/lib/paging";
import type { Instant } from "~/lib/time";
import type { SubmissionScope } from "./list-filter";

/**
 * How far a search goes where no index can answer it whole: terms of one or two letters, and a search combined with
 * another filter. It looks at this many rows and then offers to look further.
 */
const SEARCH_REACH = 500;

/** The index knows every three letters in a row; shorter terms it cannot find. */
const INDEXED_TERM = 3;

/** How the rows of a scope are found: by an index alone, or by looking for a term among candidates. */
type Plan = "index" | "look_through" | "term" | "term_and_filter";

export function planOf({ search, held, status, ownerId, followUpBy, from, until }: SubmissionScope): Plan {
  if (!search) return "index";
  // Held requests are few and not in the index of terms.
  if (held || [...search].length < INDEXED_TERM) return "look_through";
  const isFiltered = Boolean(status || ownerId || followUpBy) || from !== undefined || until !== undefined;
  return isFiltered ? "term_and_filter" : "term";
}

export const byTerm = (plan: Plan) => plan === "term" || plan === "term_and_filter";

/** A text in the query language of the index, to be found letter by letter: nothing in it has a meaning of its own. */
export const phrase = (search: string) => `"${search.replaceAll('"', '""')}"`;

function conditions(scope: SubmissionScope): SQL {
  const all: SQL[] = [scope.held ? sql`t.held_reason IS NOT NULL` : sql`t.held_reason IS NULL`];
  if (scope.status) all.push(sql`t.status = ${scope.status}`);
  if (scope.ownerId) all.push(sql`t.owner_id = ${scope.ownerId}`);
  if (scope.followUpBy) {
    all.push(sql`t.follow_up_on IS NOT NULL AND t.follow_up_on <= ${scope.followUpBy} AND t.status <> 'resolved'`);
  }
  if (scope.from !== undefined) all.push(sql`t.created_at >= ${scope.from}`);
  if (scope.until !== undefined) all.push(sql`t.created_at < ${scope.until}`);
  if (scope.unchangedSince !== undefined) all.push(sql`t.updated_at <= ${scope.unchangedSince}`);
  return sql.join(all, sql` AND `);
}

/** A place before the first row, so that the first page is found the way every other page is found. */
const startOf = (ascending: boolean): PageKey => ({ at: ascending ? -1 : Number.MAX_SAFE_INTEGER, id: "" });

/** What is to be taken up again is a small part of all, and lies in an index of its own that is not found by itself. */
const tableOf = ({ followUpBy }: SubmissionScope) =>
  sql.raw(followUpBy ? "contact_submissions t INDEXED BY submissions_to_follow_up" : "contact_submissions t");

export type Stretch = {
  from: PageKey | null;
  ascending: boolean;
  limit: number;
  /** Looks at every candidate instead of `SEARCH_REACH`: for what must be complete, however long it takes. */
  whole?: boolean;
};

/**
 * The rows of a scope from a place on, as `FROM … ORDER BY … LIMIT …` over the alias `t`. Every way reads what it shows
 * and, where it looks for a term among candidates, at most `SEARCH_REACH` of them.
 */
export function stretchOf(scope: SubmissionScope, { from, ascending, limit, whole }: Stretch): SQL {
  const plan = planOf(scope);
  const direction = sql.raw(ascending ? "ASC" : "DESC");
  const beyond = sql.raw(ascending ? ">" : "<");
  const search = scope.search ?? "";
  const contains = search ? sql`instr(t.search_text, ${search}) > 0` : sql`1`;
  const where = conditions(scope);
  if (byTerm(plan)) {
    const further = from ? sql`AND rowid ${beyond} ${from.at}` : sql``;
    const hits = sql`SELECT rowid AS hit FROM submission_search WHERE submission_search MATCH ${phrase(search)} ${further}`;
    const join = sql`CROSS JOIN contact_submissions t ON t.number = hits.hit WHERE ${contains} AND ${where}`;
    const reach = sql.raw(String(SEARCH_REACH));
    if (plan === "term_and_filter" && !whole) {
      return sql`FROM (${hits} ORDER BY rowid ${direction} LIMIT ${reach}) hits ${join} ORDER BY hits.hit ${direction} LIMIT ${limit}`;
    }
    const place = from ? sql`AND f.rowid ${beyond} ${from.at}` : sql``;
    return sql`FROM submission_search f CROSS JOIN contact_submissions t ON t.number = f.rowid
      WHERE f.submission_search MATCH ${phrase(search)} ${place} AND ${contains} AND ${where}
      ORDER BY f.rowid ${direction} LIMIT ${limit}`;
  }
  const key = from ?? startOf(ascending);
  const further = sql`AND (t.created_at, t.id) ${beyond} (${key.at}, ${key.id})`;
  const table = tableOf(scope);
  const order = sql`ORDER BY t.created_at ${direction}, t.id ${direction}`;
  if (plan === "index" || whole) {
    return sql`FROM ${table} WHERE ${where} AND ${contains} ${further} ${order} LIMIT ${limit}`;
  }
  return sql`FROM (SELECT t.* FROM ${table} WHERE ${where} ${further} ${order} LIMIT ${sql.raw(String(SEARCH_REACH))}) t
    WHERE ${contains} ${order} LIMIT ${limit}`;
}

/** The key of the last candidate a search may look at, or null when there are fewer, or none are looked through. */
export async function edgeOfReach(
  db: Db,
  scope: SubmissionScope,
  { from, ascending }: Stretch,
): Promise<string | null> {
  const plan = planOf(scope);
  if (plan === "index" || plan === "term") return null;
  const direction = sql.raw(ascending ? "ASC" : "DESC");
  const beyond = sql.raw(ascending ? ">" : "<");
  const skip = sql.raw(String(SEARCH_REACH - 1));
  if (byTerm(plan)) {
    const further = from ? sql`AND rowid ${beyond} ${from.at}` : sql``;
    const [last] = await db.all<{ hit: number }>(
      sql`SELECT rowid AS hit FROM submission_search WHERE submission_search MATCH ${phrase(scope.search ?? "")} ${further}
        ORDER BY rowid ${direction} LIMIT 1 OFFSET ${skip}`,
    );
    return last ? `${last.hit}.reach` : null;
  }
  const key = from ?? startOf(ascending);
  const further = sql`AND (t.created_at, t.id) ${beyond} (${key.at}, ${key.id})`;
  const [last] = await db.all<{ at: Instant; id: string }>(
    sql`SELECT t.created_at AS at, t.id FROM ${tableOf(scope)} WHERE ${conditions(scope)} ${further}
      ORDER BY t.created_at ${direction}, t.id ${direction} LIMIT 1 OFFSET ${skip}`,
  );
  return last ? `${last.at}.${last.id}` : null;
}
