import path from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { beforeAll } from "vitest";
import { testSecrets, testVariables } from "./test-variables.mjs";
import { startWorkerServer } from "./worker-server";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * Holds all migrations, a statement a line, as `exec` takes them: in one message to the runtime, instead of one for
 * each statement, which takes two seconds.
 */
const migrations = readD1Migrations(path.join(root, "migrations")).then((files) =>
  files.flatMap(({ queries }) => queries.map((query) => query.replace(/--.*$/gm, "").replace(/\s+/g, " "))).join("\n"),
);

type Settings = { vars?: Record<string, string>; secrets?: Record<string, string> };

/** Starts the built worker with empty stores. Close it after the last test of a file. */
export const startUnmigratedWorker = ({ vars, secrets = testSecrets }: Settings = {}) =>
  startWorkerServer({ bindings: { ...testVariables, ...vars, ...secrets } });

export type BuiltWorker = Awaited<ReturnType<typeof startUnmigratedWorker>>;

/** Starts the built worker with an empty, migrated database. Close it after the last test of a file. */
export async function startBuiltWorker(vars: Record<string, string> = {}): Promise<BuiltWorker> {
  const server = await startUnmigratedWorker({ vars });
  const { DB } = await server.getEnv<{ DB: D1Database }>();
  await DB.exec(await migrations);
  return server;
}

/**
 * Runs statements in one message to the runtime: each call from Node takes five milliseconds, and a statement with
 * values is three.
 */
export const runAll = (db: D1Database, statements: readonly string[]) =>
  db.exec(statements.map((statement) => statement.replace(/\s+/g, " ")).join("\n"));

let shared: Promise<BuiltWorker> | undefined;

/**
 * Returns the built worker that files share which need no variables of their own: one for each worker of vitest, which
 * it ends with. A start takes more than a second. Files find what others have stored, so each brings people of its own.
 */
export function sharedBuiltWorker(): Promise<BuiltWorker> {
  shared ??= startBuiltWorker();
  return shared;
}

/** Has the shared worker ready before the tests of a file. `db` is its database, for rows that no page makes. */
export function builtWorker() {
  let server: BuiltWorker;
  let db: D1Database;
  beforeAll(async () => {
    server = await sharedBuiltWorker();
    ({ DB: db } = await server.getEnv<{ DB: D1Database }>());
  });
  return {
    fetch: (...request: Parameters<BuiltWorker["fetch"]>) => server.fetch(...request),
    get db() {
      return db;
    },
  };
}
