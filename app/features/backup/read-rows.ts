import { type BackupRow, CONTENT_TABLES, PAGE_ROWS, PAGE_WEIGHT, ROW_NUMBER } from "./model";

/*
 * How the rows of a table are read: the same statements in the worker and in the commands that read a local database
 * themselves.
 */

/** What the database computes itself is not among the columns. */
export const COLUMNS_QUERY = `SELECT t.name AS name, json_group_array(c.name) AS columns
  FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c ON c.hidden = 0
  WHERE t.type = 'table' AND t.name IN (${CONTENT_TABLES.map((name) => `'${name}'`).join(", ")}) GROUP BY t.name`;

const quoted = (columns: readonly string[], prefix = ""): string =>
  columns.map((column) => `${prefix}"${column}"`).join(", ");

const weightOf = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(length("${column}"), 4) + ${column.length + 6}`).join(" + ");

/** The weight of a page is added up where the rows are, so that a page is never too large to be read. */
const WEIGHT = "_weight";

/** Parameters: the number of the row before, and how many rows are looked at. */
export const pageQuery = (table: string, columns: readonly string[]): string => `
  SELECT ${ROW_NUMBER}, ${quoted(columns)} FROM (
    SELECT *, sum(${WEIGHT}) OVER (ORDER BY ${ROW_NUMBER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS _before
    FROM (SELECT rowid AS ${ROW_NUMBER}, ${quoted(columns)}, ${weightOf(columns)} AS ${WEIGHT} FROM "${table}"
      WHERE rowid > ? ORDER BY rowid LIMIT ?))
  WHERE coalesce(_before, 0) < ${PAGE_WEIGHT} ORDER BY ${ROW_NUMBER}`;

/** How many rows to look at for the next page, if this one holds so many. */
export const rowsToLookAt = (rows: number): number => Math.max(100, Math.min(PAGE_ROWS, rows * 2));

export const rowNumber = (row: BackupRow | undefined): number => Number(row?.[ROW_NUMBER] ?? 0);

/** One row, with a column for each table. */
export const COUNTS_QUERY = `SELECT ${CONTENT_TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

export const SEQUENCES_QUERY = `SELECT name, seq FROM sqlite_sequence
  WHERE name IN (${CONTENT_TABLES.map((name) => `'${name}'`).join(", ")})`;
