import { CONTENT_TABLES, PAGE_WEIGHT, ROW_NUMBER } from "./model";

/* What is asked of a database that is backed up. Where it is, in a file or at the platform, makes no difference. */

export type TableColumns = Record<string, readonly string[]>;

const CONTENT = CONTENT_TABLES.map((name) => `'${name}'`).join(", ");

/** What the database computes itself is not among the columns. */
export const COLUMNS_QUERY = `SELECT t.name AS name, json_group_array(c.name) AS columns
  FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c ON c.hidden = 0
  WHERE t.type = 'table' AND t.name IN (${CONTENT}) GROUP BY t.name`;

export const tableColumnsOf = (rows: readonly { name: string; columns: string }[]): TableColumns =>
  Object.fromEntries(rows.map(({ name, columns }) => [name, JSON.parse(columns)]));

/** One row, with a column for each table. */
export const COUNTS_QUERY = `SELECT ${CONTENT_TABLES.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;

export const SEQUENCES_QUERY = `SELECT name, seq FROM sqlite_sequence WHERE name IN (${CONTENT})`;

export const sequencesOf = (rows: readonly { name: string; seq: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));

export const MIGRATION_QUERY = "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1";

const namesOf = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");

/** `limit`: how many rows are looked at. Weights are added up by the database. */
export function pageQuery(table: string, columns: readonly string[], after: number, limit: number): string {
  const names = namesOf(columns);
  const fixed = columns.reduce((sum, column) => sum + column.length + 6, 0);
  const weight = `${columns.map((column) => `coalesce(length("${column}"), 4)`).join(" + ")} + ${fixed}`;
  return `
  SELECT ${ROW_NUMBER}, ${names} FROM (
    SELECT *, sum(_weight) OVER (ORDER BY ${ROW_NUMBER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS _before
    FROM (SELECT rowid AS ${ROW_NUMBER}, ${names}, ${weight} AS _weight FROM "${table}"
      WHERE rowid > ${after} ORDER BY rowid LIMIT ${limit}))
  WHERE coalesce(_before, 0) < ${PAGE_WEIGHT} ORDER BY ${ROW_NUMBER}`;
}

export const changedRowsQuery = (table: string, columns: readonly string[]): string =>
  `SELECT rowid AS ${ROW_NUMBER}, ${namesOf(columns)} FROM "${table}"
   WHERE rowid IN (SELECT row FROM backup_changes WHERE table_name = '${table}') ORDER BY rowid`;

const TRIGGER_PREFIX = "backup_";

export const TRIGGERS_QUERY = `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '${TRIGGER_PREFIX}*'`;

/** An upsert, and no `OR IGNORE`: the conflict clause of the statement outside would count in its place. */
const note = (table: string, row: string) =>
  `INSERT INTO backup_changes(table_name, row) VALUES ('${table}', ${row}.rowid) ON CONFLICT DO NOTHING;`;

/** They stand while rows are read, and write down which have changed since. */
export const TRIGGERS: readonly string[] = CONTENT_TABLES.flatMap((table) => [
  `CREATE TRIGGER ${TRIGGER_PREFIX}${table}_added AFTER INSERT ON "${table}" BEGIN ${note(table, "NEW")} END`,
  `CREATE TRIGGER ${TRIGGER_PREFIX}${table}_changed AFTER UPDATE ON "${table}" BEGIN ${note(table, "OLD")} ${note(table, "NEW")} END`,
  `CREATE TRIGGER ${TRIGGER_PREFIX}${table}_removed AFTER DELETE ON "${table}" BEGIN ${note(table, "OLD")} END`,
]);
