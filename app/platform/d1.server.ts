import { isStatementError, isTransient } from "~/db/client.server";

/** As D1 reports it. `trips`: round trips. `databaseSize`: in bytes; null before the first answer. */
export type D1Cost = {
  trips: number;
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
  databaseSize: number | null;
};

export const noCost = (): D1Cost => ({
  trips: 0,
  queries: 0,
  rowsRead: 0,
  rowsWritten: 0,
  milliseconds: 0,
  databaseSize: null,
});

/** Holds the three connections to D1 of one request. The caller chooses one when building a statement. */
type MeteredD1 = {
  /**
   * Statements that only read. Those of one turn of the event loop go as one batch, equal ones once, and after a
   * broken connection once more. So a page needs one round trip for the session and one for the rest.
   */
  reads: D1Database;
  /** A write that is sent with the reads of its turn. After a broken connection it may be counted twice. */
  counts: D1Database;
  /** Runs all other statements: each statement or batch is sent immediately, alone, and never repeated. */
  writes: D1Database;
};

/** A batch returns rows as objects: a query that joins tables must give every column a name of its own. */
export function meteredD1(d1: Pick<D1Database, "prepare" | "batch">, cost: D1Cost): MeteredD1 {
  const send = meteredBatch(d1, cost);
  const enqueue = createReadQueue((statements) => sendReads(send, statements));

  const readStatement = (query: string): D1PreparedStatement => {
    if (isWriting(query)) throw new Error(`A statement declared as a read would write: ${query.slice(0, 120)}`);
    return wrapStatement(d1.prepare(query), {
      run: async (native, values) => readOnly(query, await enqueue({ query, values }, native)),
      rows: (results) => distinctColumns(query, results),
    });
  };

  const countStatement = (query: string): D1PreparedStatement =>
    wrapStatement(d1.prepare(query), { run: (native) => enqueue(null, native), rows: valuesOf });

  const writeStatement = (query: string): D1PreparedStatement =>
    wrapStatement(d1.prepare(query), {
      run: async (native) => (await send([native]))[0] as D1Result,
      rows: valuesOf,
    });

  const sendBatch = (statements: D1PreparedStatement[]) => send(statements.map(nativeOf));
  return {
    reads: { prepare: readStatement, batch: sendBatch } as unknown as D1Database,
    counts: { prepare: countStatement, batch: sendBatch } as unknown as D1Database,
    writes: { prepare: writeStatement, batch: sendBatch } as unknown as D1Database,
  };
}

/** Only rejects what its caller declared wrongly, before it can be shared or sent twice. */
const WRITING = /\b(?:insert|replace)\s+(?:or\s+\w+\s+)?into\b|\bdelete\s+from\b|\bupdate\b[^;]*\bset\b/i;

const writing = new Map<string, boolean>();

/** Tells whether a query would write. Cached, because queries repeat. */
function isWriting(query: string): boolean {
  const known = writing.get(query) ?? WRITING.test(query);
  writing.set(query, known);
  return known;
}

type SendBatch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

const meteredBatch =
  (d1: Pick<D1Database, "batch">, cost: D1Cost): SendBatch =>
  async (statements) => {
    const startedAt = performance.now();
    const results = await d1.batch(statements).finally(() => {
      // What fails counts too.
      cost.trips += 1;
      cost.queries += statements.length;
    });
    cost.milliseconds += performance.now() - startedAt;
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read ?? 0;
      cost.rowsWritten += meta.rows_written ?? 0;
      cost.databaseSize = meta.size_after ?? cost.databaseSize;
    }
    return results;
  };

/** Sends reads; after a broken connection once more, in addition to D1's own retries. */
async function sendReads(send: SendBatch, statements: D1PreparedStatement[]): Promise<D1Result[]> {
  try {
    return await send(statements);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return send(statements);
  }
}

type ReadKey = { query: string; values: readonly unknown[] };

type WaitingRead = {
  key: ReadKey | null;
  statement: D1PreparedStatement;
  result: Promise<D1Result>;
  resolve: (result: D1Result) => void;
  reject: (error: unknown) => void;
};

/**
 * A timer, not a microtask: loaders start their first query after different numbers of awaits. Tests take what is less
 * than the millisecond of a timer.
 */
export const READ_QUEUE = { nextTurn: (flush: () => unknown): unknown => setTimeout(flush, 0) };

function createReadQueue(send: SendBatch): (key: ReadKey | null, native: D1PreparedStatement) => Promise<D1Result> {
  let waiting: WaitingRead[] = [];

  function flush() {
    const group = waiting;
    waiting = [];
    return settle(group, send);
  }

  return function enqueue(key, statement) {
    const same = key && waiting.find((read) => read.key && isSame(read.key, key));
    if (same) return same.result;
    const read = { key, statement } as WaitingRead;
    read.result = new Promise((resolve, reject) => Object.assign(read, { resolve, reject }));
    waiting.push(read);
    if (waiting.length === 1) READ_QUEUE.nextTurn(flush);
    return read.result;
  };
}

const isSame = (left: ReadKey, right: ReadKey): boolean =>
  left.query === right.query && left.values.every((value, index) => value === right.values[index]);

async function settle(group: readonly WaitingRead[], send: SendBatch): Promise<void> {
  try {
    const results = await send(group.map(({ statement }) => statement));
    group.forEach(({ resolve }, index) => {
      resolve(results[index] as D1Result);
    });
  } catch (error) {
    if (group.length === 1 || !isStatementError(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { statement, resolve, reject } of group) {
      await send([statement]).then(([result]) => resolve(result as D1Result), reject);
    }
  }
}

type Row = Record<string, unknown>;

const valuesOf = (results: Row[]): unknown[][] => results.map((row) => Object.values(row));

type Execution = {
  run: (native: D1PreparedStatement, values: unknown[]) => Promise<D1Result>;
  rows: (results: Row[]) => unknown[][];
};

/** Builds a statement with D1's interface and our execution. `native` is D1's own statement, which batches need. */
function wrapStatement(native: D1PreparedStatement, execution: Execution, values: unknown[] = []): D1PreparedStatement {
  const run = () => execution.run(native, values);
  const statement = {
    native,
    bind: (...bound: unknown[]) => wrapStatement(native.bind(...bound), execution, bound),
    all: run,
    run,
    first: async (column?: string) => {
      const row = ((await run()).results[0] ?? null) as Row | null;
      return column && row ? row[column] : row;
    },
    raw: async () => execution.rows((await run()).results as Row[]),
  };
  return statement as unknown as D1PreparedStatement;
}

const nativeOf = (statement: D1PreparedStatement) => (statement as unknown as { native: D1PreparedStatement }).native;

/** Throws when a statement of `reads` has written: it may have been repeated or shared, which is a bug. */
function readOnly(query: string, result: D1Result): D1Result {
  if (result.meta.changed_db) throw new Error(`A statement declared as a read has written: ${query.slice(0, 120)}`);
  return result;
}

/** Throws when a row has fewer values than its query has columns: two of them share a name, and one value is lost. */
function distinctColumns(query: string, results: Row[]): unknown[][] {
  const rows = valuesOf(results);
  if (rows[0] && rows[0].length !== columnCount(query)) {
    throw new Error(`Two columns of a joined query share a name: ${query.slice(0, 120)}`);
  }
  return rows;
}

const columnCounts = new Map<string, number>();

function columnCount(query: string): number {
  const cached = columnCounts.get(query);
  if (cached) return cached;
  let depth = 0;
  let columns = 0;
  for (let index = 0; index < query.length; index += 1) {
    const character = query[index];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (depth > 0) continue;
    // What stands before the outermost select is a common table expression.
    else if (columns === 0) columns = /^select\s/i.test(query.slice(index, index + 7)) ? 1 : 0;
    else if (character === ",") columns += 1;
    else if (/^\sfrom\s/i.test(query.slice(index, index + 6))) break;
  }
  columnCounts.set(query, columns);
  return columns;
}

export const serverTiming = (cost: D1Cost): string =>
  `d1;desc="trips=${cost.trips} queries=${cost.queries} rows=${cost.rowsRead}";dur=${cost.milliseconds.toFixed(1)}`;
