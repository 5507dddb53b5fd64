import { auditColumns } from "~/features/audit/record-audit.server";

/** Returns a value as SQL text in quotes, on one line. */
export const sqlText = (value) => `'${String(value).replaceAll("'", "''").replaceAll("\n", "' || char(10) || '")}'`;

const literalsOf = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? sqlText(value) : String(value)]),
  );

/** Returns the statement that writes a row of these values, each as SQL. `rest`: for which rows of others, and when. */
const insertionOf = (table, literals, rest = "") =>
  `insert into ${table}(${Object.keys(literals).join(", ")}) select ${Object.values(literals).join(", ")} ${rest}`;

/** Returns the statement that writes a row. */
export const insertion = (table, row) => insertionOf(table, literalsOf(row));

/** Returns the statement that records an event. `own` gets the columns as SQL, and returns those that are others. */
export function auditInsertion(event, rest, own) {
  const literals = literalsOf(auditColumns(event));
  return insertionOf("audit_events", { ...literals, ...own(literals) }, rest);
}

export function insertRow(database, table, row) {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const statement = `insert into ${table}(${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
  database.prepare(statement).run(...Object.values(row));
}
