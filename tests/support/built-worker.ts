import path from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { beforeAll } from "vitest";
import { createTestHarness, type TestHarness } from "wrangler";
import { testSecrets, testVariables } from "./test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * Holds all migrations, a statement a line, as `exec` takes them: in one message to the runtime. `applyD1Migrations` of
 * the harness sends one for each statement, which takes two seconds.
 */
const migrations = readD1Migrations(path.join(root, "migrations")).then((files) =>
  files.flatMap(({ queries }) => queries.map((query) => query.replace(/--.*$/gm, "").replace(/\s+/g, " "))).join("\n"),
);

/**
 * Starts the worker that `scripts/test.mjs` has built into `dist/`, with an empty, migrated database of its own. Close
 * it after the last test of a file. `vars` override variables.
 */
export async function startBuiltWorker(vars: Record<string, string> = {}): Promise<TestHarness> {
  const server = createTestHarness({
    root,
    workers: [
      {
        configPath: "wrangler.toml",
        prebuiltWorkerDir: "dist",
        vars: { ...testVariables, ...vars },
        secrets: testSecrets,
      },
    ],
  });
  await server.listen();
  const { DB } = await server.getWorker<{ DB: D1Database }>().getEnv();
  await DB.exec(await migrations);
  return server;
}

let shared: Promise<TestHarness> | undefined;

/**
 * Returns the built worker that files share which need no variables of their own: one for each worker of vitest, which it
 * ends with. A start takes more than a second. Files find what others have stored, so each brings people of its own.
 */
export function sharedBuiltWorker(): Promise<TestHarness> {
  shared ??= startBuiltWorker();
  return shared;
}

/** Has the shared worker ready before the tests of a file. `db` is its database, for rows that no page makes. */
export function builtWorker() {
  let server: TestHarness;
  let db: D1Database;
  beforeAll(async () => {
    server = await sharedBuiltWorker();
    ({ DB: db } = await server.getWorker<{ DB: D1Database }>().getEnv());
  });
  return {
    fetch: (...request: Parameters<TestHarness["fetch"]>) => server.fetch(...request),
    get db() {
      return db;
    },
  };
}
