import { isStatementAtFault, isTransient } from "~/db/transient";

/** What one request has cost at the database, as D1 itself reports it. */
export type D1Cost = { trips: number; queries: number; rowsRead: number; rowsWritten: number; milliseconds: number };

export const noCost = (): D1Cost => ({ trips: 0, queries: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 });

type Waiting = {
  /** Text and values: the same read asked for twice in one turn is made once. */
  key: string;
  statement: D1PreparedStatement;
  answer: Promise<D1Result>;
  resolve: (result: D1Result) => void;
  reject: (error: unknown) => void;
};

const isRead = (query: string) => /^\s*(select|with)\b/i.test(query);

/**
 * Wraps a D1 database for one request, so that
 * - reads that several loaders ask for in the same turn of the event loop travel together, as one batch: a page costs
 *   one round trip for identity and one for everything else, however many parts it is made of;
 * - every round trip, statement and row read is counted.
 *
 * Writes are never gathered: a batch is atomic, and one command's writes must not fail with another's.
 * Rows arrive as objects in a batch, so a query that joins tables must give every column a name of its own.
 */
export function meteredD1(d1: Pick<D1Database, "prepare" | "batch">, cost: D1Cost): D1Database {
  let waiting: Waiting[] = [];

  function count(results: D1Result[], startedAt: number) {
    cost.trips += 1;
    cost.milliseconds += performance.now() - startedAt;
    for (const { meta } of results) {
      cost.queries += 1;
      cost.rowsRead += meta.rows_read ?? 0;
      cost.rowsWritten += meta.rows_written ?? 0;
    }
  }

  async function send(statements: D1PreparedStatement[]): Promise<D1Result[]> {
    const startedAt = performance.now();
    const results = await d1.batch(statements);
    count(results, startedAt);
    return results;
  }

  /** D1 repeats a read by itself when the connection breaks; this is the one more time before the page gives up. */
  async function sendReads(statements: D1PreparedStatement[]): Promise<D1Result[]> {
    try {
      return await send(statements);
    } catch (error) {
      if (!isTransient(error)) throw error;
      return send(statements);
    }
  }

  async function flush() {
    const group = waiting;
    waiting = [];
    try {
      const results = await sendReads(group.map(({ statement }) => statement));
      group.forEach(({ resolve }, place) => {
        resolve(results[place] as D1Result);
      });
    } catch (error) {
      if (group.length > 1 && isStatementAtFault(error)) await flushOneByOne(group);
      else for (const { reject } of group) reject(error);
    }
  }

  /** One read is at fault: asked for alone, it fails alone, and the rest of the page can be shown. */
  async function flushOneByOne(group: readonly Waiting[]) {
    for (const { statement, resolve, reject } of group) {
      await sendReads([statement]).then(([result]) => resolve(result as D1Result), reject);
    }
  }

  function gathered(key: string, statement: D1PreparedStatement): Promise<D1Result> {
    const same = waiting.find((read) => read.key === key);
    if (same) return same.answer;
    const read = { key, statement } as Waiting;
    read.answer = new Promise((resolve, reject) => Object.assign(read, { resolve, reject }));
    waiting.push(read);
    // A timer, not a microtask: loaders reach their first query after different numbers of awaits.
    if (waiting.length === 1) setTimeout(flush, 0);
    return read.answer;
  }

  function metered(query: string, native: D1PreparedStatement, values: unknown[] = []): D1PreparedStatement {
    const key = () => JSON.stringify([query, values]);
    const all = async () => (isRead(query) ? gathered(key(), native) : ((await send([native]))[0] as D1Result));
    const statement = {
      native,
      bind: (...values: unknown[]) => metered(query, native.bind(...values), values),
      all,
      run: all,
      first: async (column?: string) => {
        const row = ((await all()).results[0] ?? null) as Record<string, unknown> | null;
        return column && row ? row[column] : row;
      },
      raw: async () => rowsOf(query, (await all()).results as Record<string, unknown>[]),
    };
    return statement as unknown as D1PreparedStatement;
  }

  const nativeOf = (statement: D1PreparedStatement) => (statement as unknown as { native: D1PreparedStatement }).native;

  const database = {
    prepare: (query: string) => metered(query, d1.prepare(query)),
    batch: (statements: D1PreparedStatement[]) => send(statements.map(nativeOf)),
  };
  return database as unknown as D1Database;
}

/** Rows as arrays. A row with fewer values than the query has columns means that two columns share a name: a bug. */
function rowsOf(query: string, results: Record<string, unknown>[]): unknown[][] {
  const rows = results.map((row) => Object.values(row));
  if (rows[0] && isRead(query) && rows[0].length !== columnCount(query)) {
    throw new Error(`Two columns of a joined query share a name: ${query.slice(0, 120)}`);
  }
  return rows;
}

const countedBefore = new Map<string, number>();

/** Columns in the select list: commas outside parentheses, plus one. Remembered, because queries repeat. */
function columnCount(query: string): number {
  const known = countedBefore.get(query);
  if (known) return known;
  let depth = 0;
  let columns = 0;
  for (let place = 0; place < query.length; place += 1) {
    const character = query[place];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (depth > 0) continue;
    // What stands before the outermost select is a common table expression.
    else if (columns === 0) columns = /^select\s/i.test(query.slice(place, place + 7)) ? 1 : 0;
    else if (character === ",") columns += 1;
    else if (/^\sfrom\s/i.test(query.slice(place, place + 6))) break;
  }
  countedBefore.set(query, columns);
  return columns;
}

/** The header that outside production shows the cost of a page. */
export const serverTiming = (cost: D1Cost): string =>
  `d1;desc="trips=${cost.trips} queries=${cost.queries} rows=${cost.rowsRead}";dur=${cost.milliseconds.toFixed(1)}`;
