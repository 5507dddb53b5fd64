import { availableParallelism } from "node:os";
import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { COMPILED } from "../scripts/lib/toolchain.mjs";
import { keepTemporaryFilesInMemory } from "./support/memory-folder.mjs";
import { testSecrets, testVariables } from "./support/test-variables.mjs";

keepTemporaryFilesInMemory();

const root = path.resolve(import.meta.dirname, "..");
const alias = { "~": path.join(root, "app") };

/**
 * Names the packages that are bundled once and cached, instead of being read module by module in every test file. What
 * is missing here still works, slowly.
 */
const BUNDLED = [
  "@cantoo/pdf-lib",
  "@remix-run/cloudflare",
  "@remix-run/react",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "otpauth",
  "react",
  "react-dom/server",
  "react/jsx-dev-runtime",
  "remix-auth",
  "remix-auth/strategy",
  "zod",
];

/** Ends what hangs. A busy machine may be slow: speed is measured by the bench, and never by a test. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };

/**
 * Configures tests inside the worker's runtime, with real bindings. Files share a runtime, one after the other, and the
 * modules that it has read; storage is emptied before each file, not before each test.
 */
const insideRuntime = (name: string, folders: string[]) => ({
  root,
  resolve: { alias },
  plugins: [
    cloudflareTest(async () => ({
      main: path.join(root, "tests/support/runtime-entry.ts"),
      wrangler: { configPath: path.join(root, "wrangler.toml") },
      miniflare: {
        cf: false,
        // A second, empty database: for tests that migrate one themselves.
        d1Databases: ["EMPTY_DB"],
        bindings: {
          ...testVariables,
          ...testSecrets,
          TEST_MIGRATIONS: await readD1Migrations(path.join(root, "migrations")),
        },
      },
    })),
  ],
  test: {
    name,
    ...timeouts,
    include: folders.map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`),
    isolate: false,
    expect: { poll: { interval: 5 } },
    setupFiles: ["tests/support/empty-storage.ts", "tests/support/no-waiting.ts"],
    deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
  },
});

const onNode = (name: string, folders: string[]) => ({
  root,
  resolve: { alias },
  test: {
    name,
    ...timeouts,
    include: folders.map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`),
    environment: "node",
    isolate: false,
    // A worker that starts asks Cloudflare where it is, unless told not to.
    env: { CLOUDFLARE_CF_FETCH_ENABLED: "false", NODE_COMPILE_CACHE: COMPILED },
  },
});

export default defineConfig({
  root,
  test: {
    fsModuleCache: true,
    // Vitest leaves one core to itself, which of two is too much.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      onNode("unit", ["unit", "architecture"]),
      insideRuntime("runtime", ["db", "http"]),
      // The worker as it is deployed, see tests/support/built-worker.ts.
      onNode("worker", ["worker"]),
    ],
  },
});
