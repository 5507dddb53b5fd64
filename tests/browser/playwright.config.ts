import { mkdtempSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../../scripts/lib/find-browser.mjs";
import { freePort } from "../../scripts/lib/local-server.mjs";
import { keepTemporaryFilesInMemory } from "../support/memory-folder.mjs";

/*
 * Tests run against the built worker and the demo world of `npm start`, once for each worker of the runner: files that
 * run side by side share no database. `npx playwright test --config tests/browser/playwright.config.ts` does it too.
 */

const root = path.resolve(import.meta.dirname, "../..");

/** Sets the number of workers. On two cores it is three: a test waits half of its time, for frames and for answers. */
const WORKERS = Math.min(4, Math.max(3, availableParallelism() - 1));

/**
 * Holds what the runner has chosen. This file is read by the runner first, and again by each of its workers: these must
 * find what was chosen then.
 */
type Chosen = { browser: Awaited<ReturnType<typeof findBrowser>>; ports: number[]; state: string };
if (!process.env.BROWSER_TESTS) keepTemporaryFilesInMemory();
process.env.BROWSER_TESTS ??= JSON.stringify(await choose());
const { browser, ports } = JSON.parse(process.env.BROWSER_TESTS) as Chosen;

async function choose(): Promise<Chosen> {
  const browser = await findBrowser();
  console.log(`Browser: ${browser.executablePath} (from ${browser.source})`);
  const ports = await Promise.all(Array.from({ length: WORKERS }, freePort));
  return { browser, ports, state: mkdtempSync(path.join(tmpdir(), "wrenfield-test-")) };
}

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.test.ts",
  outputDir: path.join(root, "test-results/browser"),
  workers: WORKERS,
  // In the pipeline a failed test gets a second try, and is named as flaky if that passes: see tests/README.md.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Catches what hangs. Many pages with axe take their time on a busy machine; no test sets a limit of its own.
  timeout: 300_000,
  // An answer may be slow where two servers and two browsers share two cores: a test asks whether it comes, not how
  // soon.
  expect: { timeout: 30_000, toPass: { timeout: 30_000 } },
  reporter: [["list"], ["json", { outputFile: path.join(root, "test-results/browser.json") }]],
  globalSetup: "../support/serve-demo-worlds.ts",
  use: {
    baseURL: `http://localhost:${ports[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]}`,
    launchOptions: {
      executablePath: browser.executablePath,
      env: { ...(process.env as Record<string, string>), ...browser.env },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // An action waits for its part of the page, which may be late as answers are. One that hangs ends before its test.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: "only-on-failure",
    trace: "off",
  },
  // Journeys run with and without scripts, unless they lie in a folder that names one of the two. What a script neither
  // does nor changes runs without, once.
  projects: [
    { name: "scripts-on", testIgnore: "scripts-off/**" },
    { name: "scripts-off", testIgnore: "scripts-on/**", use: { javaScriptEnabled: false } },
  ],
});
