import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { batchGuards, idempotency } from "./schema/infrastructure";
import { isTransient, messageOf } from "./transient";

/**
 * The database as commands and queries see it. `select`, `selectDistinct`, `with` and the raw `all` and `get` build
 * reads: they may be gathered with others, shared and repeated, so they must never write. Everything else writes.
 */
export type Db = Pick<
  DrizzleD1Database<Record<string, never>>,
  | "$count"
  | "$with"
  | "with"
  | "select"
  | "selectDistinct"
  | "all"
  | "get"
  | "insert"
  | "update"
  | "delete"
  | "run"
  | "batch"
>;

/** A statement that has been built but not sent: what commands put together and `commit` carries out. */
export type Statement = BatchItem<"sqlite">;

/** Opens drizzle over the two ways to D1, so that the method that builds a statement declares whether it reads. */
export function openDb({ reads, writes }: { reads: D1Database; writes: D1Database }): Db {
  const reading = drizzle(reads);
  const writing = drizzle(writes);
  return {
    $count: reading.$count.bind(reading),
    $with: reading.$with.bind(reading),
    with: reading.with.bind(reading),
    select: reading.select.bind(reading),
    selectDistinct: reading.selectDistinct.bind(reading),
    all: reading.all.bind(reading),
    get: reading.get.bind(reading),
    insert: writing.insert.bind(writing),
    update: writing.update.bind(writing),
    delete: writing.delete.bind(writing),
    run: writing.run.bind(writing),
    batch: writing.batch.bind(writing),
  };
}

/*
 * D1 has no interactive transaction: nothing can be read, decided and then written while others wait. What it has is
 * the batch, which is carried out whole or not at all. So an expectation travels *inside* the batch, as a statement
 * that tries to insert a forbidden row into `batch_guards` exactly when the expectation is not met. The table's CHECK
 * refuses the row, and the whole batch with it.
 */

/** Fails the batch unless a row like this exists: the optimistic lock. */
export function expectRow(db: Db, table: SQLiteTable, condition: SQL | undefined): Statement {
  const exists = sql`exists (select 1 from ${table} where ${condition ?? sql`1`})`;
  return db.insert(batchGuards).select(sql`select 0 where not ${exists}`);
}

/** Fails the batch unless this is true at that moment: what is expected of many rows together. */
export function expectThat(db: Db, condition: SQL): Statement {
  return db.insert(batchGuards).select(sql`select 0 where not (${condition})`);
}

/** Fails the batch if a row like this exists: what must be the first of its kind. */
export function expectNoRow(db: Db, table: SQLiteTable, condition: SQL | undefined): Statement {
  const exists = sql`exists (select 1 from ${table} where ${condition ?? sql`1`})`;
  return db.insert(batchGuards).select(sql`select 0 where ${exists}`);
}

/** Fails the batch unless the statement before it changed exactly one row: tokens, keys, attempts. */
export function expectChange(db: Db): Statement {
  return db.insert(batchGuards).select(sql`select 0 where changes() <> 1`);
}

/**
 * The first two statements of every form's batch. The key is the nonce of the form token, so a double click, a
 * browser's retry and Back-and-send-again all meet the row the first post left behind.
 */
export function claimKey(
  db: Db,
  claim: { key: string; scope: string; resultLocation: string; at: number },
): Statement[] {
  return [
    db
      .insert(idempotency)
      .values({ key: claim.key, scope: claim.scope, result_location: claim.resultLocation, created_at: claim.at })
      .onConflictDoNothing(),
    expectChange(db),
  ];
}

/** Where the first post of this form led, or null when the form has not been accepted yet. */
export async function findClaim(db: Db, key: string, scope: string): Promise<string | null> {
  const [row] = await db
    .select({ location: idempotency.result_location })
    .from(idempotency)
    .where(sql`${idempotency.key} = ${key} and ${idempotency.scope} = ${scope}`)
    .limit(1);
  return row?.location ?? null;
}

const isGuardFailure = (error: unknown) => /CHECK constraint failed: must_hold/.test(messageOf(error));

/** True when the error is a UNIQUE violation of the named column, as in `users.email`. */
export const isDuplicate = (error: unknown, column: string) =>
  messageOf(error).includes(`UNIQUE constraint failed: ${column}`);

/** Whether the statement is an expectation: what makes a batch safe to try again. */
const isGuard = (statement: Statement) =>
  /insert into "batch_guards"/i.test((statement as Partial<{ toSQL: () => { sql: string } }>).toSQL?.().sql ?? "");

/** Chance between 0 and 1, so that many who lost the same connection do not come back at the same moment. */
const jitter = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255;

/**
 * Carries out a batch whole or not at all. True: everything was written. False: an expectation failed and nothing was.
 *
 * A broken connection is tried again up to twice, but only for a batch that carries a guard: that one cannot commit
 * twice, because its idempotency key or its expected row is gone. The caller who gets `false` looks the key up first
 * (`findClaim`): present means the form had been accepted, absent means someone was faster.
 */
export async function commit(db: Db, statements: readonly Statement[]): Promise<boolean> {
  const [first, ...rest] = statements;
  if (!first) return true;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await db.batch([first, ...rest]);
      return true;
    } catch (error) {
      if (isGuardFailure(error)) return false;
      if (attempt === 2 || !isTransient(error) || !statements.some(isGuard)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt * (1 + jitter())));
    }
  }
}
