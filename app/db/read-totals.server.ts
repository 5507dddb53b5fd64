import { sql } from "drizzle-orm";
import type { Db } from "./client.server";

type Names = readonly [first: string, last: string];

/**
 * Reads the totals whose names are in a range, by the part of the name after the last dot: one row each. Their index is
 * named: by statistics of a time when there were few totals, SQLite would read all of them.
 */
export async function readTotals(db: Db, [first, last]: Names): Promise<Partial<Record<string, number>>> {
  const rows = await db.all<{ name: string; value: number }>(sql`
    SELECT name, value FROM totals INDEXED BY sqlite_autoindex_totals_1 WHERE name BETWEEN ${first} AND ${last}`);
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice(name.lastIndexOf(".") + 1), value]));
}

export async function readTotal(db: Db, name: string): Promise<number> {
  const [row] = await db.all<{ value: number }>(sql`SELECT value FROM totals WHERE name = ${name}`);
  return row?.value ?? 0;
}
