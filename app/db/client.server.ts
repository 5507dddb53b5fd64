import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type CappedCount, COUNT_LIMIT, capped } from "~/lib/numbers";
import { batchGuards } from "./schema/infrastructure";

/**
 * Describes the database as commands and queries see it. `select`, `selectDistinct` and the raw `all` and `get` build
 * reads: they may be batched with others, shared and repeated, so they must never write. Everything else writes.
 * drizzle's `with` is left out, because it builds both; a query with a WITH clause is written as raw SQL.
 */
export type Db = Pick<
  DrizzleD1Database<Record<string, never>>,
  "$count" | "select" | "selectDistinct" | "all" | "get" | "insert" | "update" | "delete" | "run" | "batch"
> & {
  /**
   * Builds an insert that is sent in one round trip with the reads of the same turn. Only for a count that may be
   * counted twice after a broken connection.
   */
  insertBesideReads: DrizzleD1Database<Record<string, never>>["insert"];
  /** Returns the same database with something to do before each write, which is not sent if that fails. */
  guarded: (beforeWrite: () => Promise<void>) => Db;
};

export type Statement = BatchItem<"sqlite">;

/**
 * Opens drizzle over the connections to D1, so that the method that builds a statement declares whether it reads.
 */
export function openDb({ reads, counts, writes }: Record<"reads" | "counts" | "writes", D1Database>): Db {
  const reading = drizzle(reads);
  const counting = drizzle(counts);
  const writing = drizzle(writes);
  return {
    $count: reading.$count.bind(reading),
    select: reading.select.bind(reading),
    selectDistinct: reading.selectDistinct.bind(reading),
    all: reading.all.bind(reading),
    get: reading.get.bind(reading),
    insert: writing.insert.bind(writing),
    insertBesideReads: counting.insert.bind(counting),
    update: writing.update.bind(writing),
    delete: writing.delete.bind(writing),
    run: writing.run.bind(writing),
    batch: writing.batch.bind(writing),
    guarded: (beforeWrite) =>
      openDb({ reads, counts: guardedD1(counts, beforeWrite), writes: guardedD1(writes, beforeWrite) }),
  };
}

function guardedD1(d1: D1Database, before: () => Promise<void>): D1Database {
  const guardedStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const after =
      <Values extends unknown[], Result>(run: (...values: Values) => Promise<Result>) =>
      async (...values: Values) => {
        await before();
        return run(...values);
      };
    return {
      ...statement,
      bind: (...values: unknown[]) => guardedStatement(statement.bind(...values)),
      run: after(statement.run),
      all: after(statement.all),
      first: after(statement.first),
      raw: after(statement.raw),
    } as D1PreparedStatement;
  };
  return {
    prepare: (query: string) => guardedStatement(d1.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      await before();
      return d1.batch(statements);
    },
  } as D1Database;
}

/** Counts rows as far as is shown, and one more: no page reads the others. */
export const countUpTo = (rows: SQL, limit = COUNT_LIMIT): SQL =>
  sql`(SELECT count(*) FROM (${rows} LIMIT ${limit + 1}))`;

export async function countRows(db: Db, rows: SQL, limit = COUNT_LIMIT): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(sql`SELECT ${countUpTo(rows, limit)} AS count`);
  return capped(row?.count ?? 0, limit);
}

/*
 * D1 has no interactive transactions: a command cannot read, decide and then write while others wait. It has batches,
 * which run completely or not at all. So an expectation is a statement *inside* the batch: it tries to insert a
 * forbidden row into `batch_guards` exactly when the expectation is not met. The table's CHECK constraint rejects the
 * row, and with it the whole batch.
 */

/** Fails the batch unless a row with this condition exists: the optimistic lock. */
export function expectRow(db: Db, table: SQLiteTable, condition: SQL | undefined): Statement {
  const exists = sql`exists (select 1 from ${table} where ${condition ?? sql`1`})`;
  return db.insert(batchGuards).select(sql`select 0 where not ${exists}`);
}

/** Fails the batch unless the condition is true when the statement runs: for expectations about many rows. */
export function expectThat(db: Db, condition: SQL): Statement {
  return db.insert(batchGuards).select(sql`select 0 where not (${condition})`);
}

export function expectNoRow(db: Db, table: SQLiteTable, condition: SQL | undefined): Statement {
  const exists = sql`exists (select 1 from ${table} where ${condition ?? sql`1`})`;
  return db.insert(batchGuards).select(sql`select 0 where ${exists}`);
}

/** Fails the batch unless the statement before it changed exactly one row, such as a token or a key. */
export function expectChange(db: Db): Statement {
  return db.insert(batchGuards).select(sql`select 0 where changes() <> 1`);
}

const isFailedExpectation = (error: unknown) => /CHECK constraint failed: must_hold/.test(messageOf(error));

/** Tells whether the error is a UNIQUE violation of the column, such as `users.email`. */
export const isDuplicate = (error: unknown, column: string) =>
  messageOf(error).includes(`UNIQUE constraint failed: ${column}`);

/** Tells whether the statement is an expectation, which makes a batch safe to retry. */
const isExpectation = (statement: Statement) =>
  /insert into "batch_guards"/i.test((statement as Partial<{ toSQL: () => { sql: string } }>).toSQL?.().sql ?? "");

const jitter = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255;

/**
 * Runs a batch completely or not at all. True: everything was written. False: an expectation failed and nothing was.
 *
 * After a broken connection it retries up to twice, but only a batch with an expectation: it cannot commit twice,
 * because its idempotency key is taken or its expected row is gone. What `false` means for a form that may arrive twice
 * is the business of `platform/run-command.server.ts`. Throws all other errors of the database.
 */
export async function commit(db: Db, statements: readonly Statement[]): Promise<boolean> {
  const [first, ...rest] = statements;
  if (!first) return true;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await db.batch([first, ...rest]);
      return true;
    } catch (error) {
      if (isFailedExpectation(error)) return false;
      if (attempt === 2 || !isTransient(error) || !statements.some(isExpectation)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt * (1 + jitter())));
    }
  }
}

/**
 * Limits the characters in one statement. A statement takes parameters of two million bytes at most; a character takes
 * up to four bytes.
 */
const CHARACTERS_PER_STATEMENT = 400_000;

export function jsonParameters(rows: readonly object[]): string[] {
  const groups: string[][] = [];
  let characters = CHARACTERS_PER_STATEMENT;
  for (const row of rows) {
    const text = JSON.stringify(row);
    characters += text.length;
    if (characters > CHARACTERS_PER_STATEMENT) {
      groups.push([]);
      characters = text.length;
    }
    groups.at(-1)?.push(text);
  }
  return groups.map((texts) => `[${texts.join(",")}]`);
}

/** Reads a value of the objects that `insertRows` is given. */
export const rowValue = (name: string): SQL => sql.raw(`value ->> '${name}'`);

/** Inserts a row for each object: of each column what `values` say, or the object under its name, or its default. */
export function insertRows(
  db: Pick<Db, "insert">,
  table: SQLiteTable,
  rows: readonly object[],
  values: Record<string, SQL | string | number | null> = {},
): Statement[] {
  const given = Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, rowValue(name)]));
  const selected = Object.values(getTableColumns(table))
    .filter(({ generated }) => !generated)
    .map(({ name, default: usual }) => {
      const value = values[name] === undefined ? given[name] : values[name];
      return sql`${value === undefined ? (usual ?? null) : value}`;
    });
  return jsonParameters(rows).map((text) =>
    db.insert(table).select(sql`SELECT ${sql.join(selected, sql`, `)} FROM json_each(${text})`),
  );
}

const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
  return error instanceof Error ? error.message + cause : String(error);
};

export const isTransient = (error: unknown): boolean => TRANSIENT.test(messageOf(error));

export const isStatementError = (error: unknown): boolean => /SQLITE_ERROR/.test(messageOf(error));
