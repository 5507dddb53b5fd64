import path from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare, NoOpLog, type V4MiniflareOptions } from "miniflare";
import { beforeAll } from "vitest";
import { loadWrangler } from "../../scripts/lib/toolchain.mjs";
import { testSecrets, testVariables } from "./test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * Holds all migrations, a statement a line, as `exec` takes them: in one message to the runtime, instead of one for
 * each statement, which takes two seconds.
 */
const migrations = readD1Migrations(path.join(root, "migrations")).then((files) =>
  files.flatMap(({ queries }) => queries.map((query) => query.replace(/--.*$/gm, "").replace(/\s+/g, " "))).join("\n"),
);

type Settings = { vars?: Record<string, string>; secrets?: Record<string, string> };

/**
 * Starts the worker that `scripts/test.mjs` has built into `dist/`, with the bindings of wrangler.toml and empty
 * stores. Not by wrangler's harness: it has a worker of its own receive each request and pass it on, which takes half
 * as long again. Close it after the last test of a file. `vars` and `secrets` override those of tests.
 */
export async function startUnmigratedWorker({ vars, secrets = testSecrets }: Settings = {}) {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = loadWrangler();
  const config = unstable_readConfig({ config: path.join(root, "wrangler.toml") });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  let logs: { level: string; message: string }[] = [];
  const options = convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    log: new NoOpLog(),
    handleStructuredLogs: (log) => logs.push(log),
    workers: [
      {
        ...workerOptions,
        name: config.name,
        modules: [{ type: "ESModule", path: path.join(root, "dist/worker.js") }],
        modulesRoot: path.join(root, "dist"),
        bindings: { ...(config.vars as Record<string, string>), ...testVariables, ...vars, ...secrets },
      },
      // Its socket leads to the product, past the four workers by which Miniflare looks for a public file first.
      {
        name: "past-files",
        modules: true,
        script: "export default {}",
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, serviceName: config.name }],
      },
    ],
  } as V4MiniflareOptions);
  const server = new Miniflare(options);
  const url = await server.ready;
  return {
    port: Number(url.port),
    portPastFiles: Number((await server.unsafeGetDirectURL("past-files")).port),
    fetch: (...request: Parameters<Miniflare["dispatchFetch"]>) => server.dispatchFetch(...request),
    getEnv: <Bindings>() => server.getBindings<Bindings>(),
    runScheduledJobs: async () => (await server.getWorker()).scheduled({ cron: "* * * * *" }),
    /** Starts the worker anew, with what is stored: nothing of its memory is left. */
    restart: () => server.setOptions(options),
    getLogs: () => logs,
    clearLogs: () => {
      logs = [];
    },
    close: () => server.dispose(),
  };
}

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
