/*
 * npm test: everything the pipeline runs, from a clean clone. `--without-browser` leaves the browser tests out. Stops
 * after the first group of checks that failed; ends with one line over all runners.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { buildApp, bundleWorker, writeGeneratedFiles } from "./lib/build-app.mjs";
import { exitOf } from "./lib/child-process.mjs";
import { withLock } from "./lib/locks.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { inRoot, runTool, startTool } from "./lib/toolchain.mjs";

const shutDown = await onProjectNode(import.meta.url);

const total = { passed: 0, failed: 0, skipped: 0 };
let testsRun = 0;
rmSync(inRoot("test-results"), { recursive: true, force: true });
mkdirSync(inRoot("test-results"));

const groups = [runStaticChecks, runVitest];
if (!process.argv.includes("--without-browser")) groups.push(runBrowserTests);
const times = [];
for (const group of groups) {
  const startedAt = Date.now();
  await group();
  times.push(`${group.name.replace(/^run/, "")} ${inMinutes(Date.now() - startedAt)}`);
  if (total.failed > 0) break;
}
if (testsRun === 0 && total.failed === 0) {
  console.error("No tests were found.");
  total.failed = 1;
}
console.log(`Time: ${times.join(", ")}. Goals on two idle cores: check 2:30, all 8:00 (docs/decisions/0029).`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
await shutDown(total.failed > 0 ? 1 : 0);

/**
 * Runs the checks that have no tests of their own. Each counts as one test. They share the cores and report in order.
 */
async function runStaticChecks() {
  const config = "tests/architecture/dependency-cruiser.config.cjs";
  // Pages import what this writes, and the first three checks do not wait for the build.
  await withLock(writeGeneratedFiles);
  const checks = [
    ["Types", runTool("typescript-7", ["-p", ".", "--noEmit"], { command: "tsc" })],
    ["Lint", runTool("@biomejs/biome", ["ci", "--colors=off", "--error-on-warnings", "."], { command: "biome" })],
    ["Imports", runTool("dependency-cruiser", ["--config", config, "app"], { command: "depcruise" })],
    ["Build", build()],
  ];
  for (const [name, check] of checks) {
    const { code, output } = await check;
    console.log(`${code === 0 ? "✓" : "✗"} ${name}`);
    if (code !== 0) console.log(output);
    add(code === 0 ? { passed: 1 } : { failed: 1 });
  }
}

/** Builds the product and bundles the worker: some tests run it as it would be deployed. */
async function build() {
  try {
    await withLock(async () => {
      await buildApp();
      await bundleWorker();
    });
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 1, output: error.message };
  }
}

async function runVitest() {
  const report = inRoot("test-results", "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", "--config", "tests/vitest.config.ts", "--passWithNoTests", ...reporters];
  const code = await exitOf(await startTool("vitest", args, { env: { NODE_ENV: "test", WRANGLER_LOG: "warn" } }));
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
    testResults = [],
  } = read(report);
  // A file that could not even be loaded has no failed test in it.
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + unloaded;
  addTests({ passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests }, code);
}

/**
 * Runs the browser tests. The runner finds a browser, and starts and stops the product by itself: see
 * tests/browser/playwright.config.ts.
 */
async function runBrowserTests() {
  const report = inRoot("test-results", "browser.json");
  const args = ["test", "--config", "tests/browser/playwright.config.ts"];
  const code = await exitOf(
    await startTool("@playwright/test", args, { command: "playwright", env: { WRANGLER_LOG: "warn" } }),
  );
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = read(report).stats ?? {};
  if (flaky > 0) console.log(`${flaky} browser tests passed at the second try only: they are named above as flaky.`);
  addTests({ passed: expected + flaky, failed: unexpected, skipped }, code);
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
}

/** Adds a runner's counts. One that failed without naming a test has failed all the same. */
function addTests(counts, code) {
  testsRun += counts.passed + counts.failed + counts.skipped;
  add(code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);
}

function add({ passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}

function inMinutes(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
