import path from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../../scripts/lib/find-browser.mjs";

/*
 * `npm test` starts the product and says where it and the browser are. By hand:
 * `npm start`, then `npx playwright test --config tests/browser/playwright.config.ts`.
 */
const browser = process.env.CHROMIUM_PATH
  ? { executablePath: process.env.CHROMIUM_PATH, env: {} }
  : await findBrowser();

/** The header by which the platform tells the worker where a request came from. */
const cameFrom = (address: string) => ({ "CF-Connecting-IP": address });

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.test.ts",
  outputDir: path.resolve(import.meta.dirname, "../../test-results/browser"),
  // One server, one database: tests share the demo world and therefore take turns.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Walks with axe over several pages, at two sizes and in two schemes, take their time on two cores.
  timeout: 90_000,
  reporter: [["list"], ["json"]],
  use: {
    baseURL: process.env.BASE_URL ?? "http://localhost:8787",
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
    screenshot: "only-on-failure",
    trace: "off",
  },
  // Journeys run with and without scripts, unless they lie in a folder that names one of the two.
  // Each has a network address of its own, because limits count by it: together they would use up an hour's requests.
  projects: [
    { name: "scripts-on", testIgnore: "scripts-off/**", use: { extraHTTPHeaders: cameFrom("203.0.113.10") } },
    {
      name: "scripts-off",
      testIgnore: "scripts-on/**",
      use: { javaScriptEnabled: false, extraHTTPHeaders: cameFrom("203.0.113.11") },
    },
  ],
});
