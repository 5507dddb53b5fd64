import path from "node:path";
import { createTestHarness, type TestHarness } from "wrangler";
import { testSecrets, testVariables } from "./test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * Starts the worker that `scripts/test.mjs` has built into `dist/`, with an empty, migrated database of its own. Close it
 * after the last test of a file. `vars` override variables.
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
  await server.getWorker().applyD1Migrations("DB");
  return server;
}
